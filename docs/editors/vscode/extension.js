// The client of `aplc lsp`, and two commands: run a program, insert a symbol.

"use strict";

const os = require("os");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;
let turn = Promise.resolve();

function setting(name) {
  return vscode.workspace.getConfiguration("aplc").get(name);
}

// The setting as a command: `~` is the directory of the user, and nothing is what is on the search path.
function command() {
  const given = (setting("path") ?? "").trim() || "aplc";
  return /^~(?=[/\\]|$)/.test(given) ? path.join(os.homedir(), given.slice(1)) : given;
}

// A program runs where the server looks for the files that it names.
function folderOf(document) {
  const folder = document && vscode.workspace.getWorkspaceFolder(document.uri);
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
}

async function start() {
  const server = {
    command: command(),
    args: ["lsp"],
    transport: TransportKind.stdio,
    options: { cwd: folderOf() },
  };
  const started = new LanguageClient("aplc", "APL (aplc)", server, {
    documentSelector: [{ language: "apl", scheme: "file" }, { language: "apl", scheme: "untitled" }],
    initializationOptions: { files: setting("readFiles") && vscode.workspace.isTrusted },
  });
  try {
    await started.start();
    client = started;
  } catch (error) {
    complain(`aplc lsp does not start: ${error.message ?? error}.`);
  }
}

// Nobody waits for the answer: commands work while the message stands there.
async function complain(what) {
  const message = `${what} It comes with pip install 'aplc[lsp]'; the setting aplc.path says where aplc is.`;
  const choice = await vscode.window.showErrorMessage(message, "Open the setting");
  if (choice) {
    vscode.commands.executeCommand("workbench.action.openSettings", "aplc.path");
  }
}

// One after the other: a server that is still starting cannot be stopped.
function restart() {
  turn = turn.then(async () => {
    const before = client;
    client = undefined;
    await before?.stop().catch(() => {});
    await start();
  });
  return turn;
}

// The program as a task that is a process: no shell has to understand its names.
async function run() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "apl") {
    return;
  }
  if (document.isUntitled || (document.isDirty && !(await document.save()))) {
    vscode.window.showInformationMessage("A program is saved to a file before it runs.");
    return;
  }
  const folder = folderOf(document) ?? path.dirname(document.fileName);
  const process = new vscode.ProcessExecution(command(), [document.fileName], { cwd: folder });
  const scope = vscode.workspace.workspaceFolders ? vscode.TaskScope.Workspace : vscode.TaskScope.Global;
  const task = new vscode.Task({ type: "process" }, scope, path.basename(document.fileName), "aplc", process);
  task.presentationOptions = { clear: true, showReuseMessage: false, panel: vscode.TaskPanelKind.Dedicated };
  await vscode.tasks.executeTask(task);
}

// All symbols, by what they are called; the list is the server's completion behind a backtick.
async function insertSymbol() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  await turn;
  if (!client) {
    complain("The list of symbols comes from aplc lsp, which does not run.");
    return;
  }
  const symbols = await client.sendRequest("aplc/symbols", {});
  const picked = await vscode.window.showQuickPick(
    symbols.map(({ symbol, key, meaning }) => ({ label: `${symbol}  \`${key}`, description: meaning, symbol })),
    { matchOnDescription: true, placeHolder: "the name of a symbol, reshape say" },
  );
  if (picked) {
    await editor.edit((edit) => editor.selections.forEach((place) => edit.replace(place, picked.symbol)));
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("aplc.run", run),
    vscode.commands.registerCommand("aplc.symbol", insertSymbol),
    vscode.commands.registerCommand("aplc.restart", restart),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("aplc") && restart()),
  );
  await restart();
}

async function deactivate() {
  await turn;
  await client?.stop();
}

module.exports = { activate, deactivate };
