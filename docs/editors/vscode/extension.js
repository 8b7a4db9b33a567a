// The client of `aplc lsp`, and two commands: run a program, insert a symbol.

"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function setting(name) {
  return vscode.workspace.getConfiguration("aplc").get(name);
}

async function start() {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const server = {
    command: setting("path"),
    args: ["lsp"],
    transport: TransportKind.stdio,
    options: { cwd: folder },
  };
  client = new LanguageClient("aplc", "APL (aplc)", server, {
    documentSelector: [{ language: "apl", scheme: "file" }, { language: "apl", scheme: "untitled" }],
    initializationOptions: { files: setting("readFiles") && vscode.workspace.isTrusted },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const message =
      `aplc lsp does not start: ${error.message ?? error}. ` +
      "It comes with pip install 'aplc[lsp]'; the setting aplc.path says where aplc is.";
    const choice = await vscode.window.showErrorMessage(message, "Open the setting");
    if (choice) {
      vscode.commands.executeCommand("workbench.action.openSettings", "aplc.path");
    }
  }
}

async function restart() {
  const before = client;
  client = undefined;
  await before?.stop();
  await start();
}

function quoted(text) {
  return process.platform === "win32" ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

async function run() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "apl" || document.isUntitled || !(await document.save())) {
    vscode.window.showInformationMessage("A program is saved to a file before it runs.");
    return;
  }
  const terminal = vscode.window.terminals.find((each) => each.name === "aplc") ?? vscode.window.createTerminal("aplc");
  terminal.show(true);
  terminal.sendText(`${quoted(setting("path"))} ${quoted(document.fileName)}`);
}

// All symbols, by what they are called; the list is the server's completion behind a backtick.
async function insertSymbol() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) {
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
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
