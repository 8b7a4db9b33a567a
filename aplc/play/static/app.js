// The page of aplc play: asks the server about the text of the editor, and links what comes back with it.

import {
  EditorState, StateEffect, StateField, EditorView, Decoration, WidgetType, keymap, lineNumbers, drawSelection,
  hoverTooltip, defaultKeymap, history, historyKeymap, acceptCompletion, completionKeymap, closeBrackets,
  closeBracketsKeymap, bracketMatching, setDiagnostics, Prec,
} from "./codemirror.js";
import { apl } from "./apl.js";

const $ = (id) => document.getElementById(id);
const about = await (await fetch("about")).json();
const TABS = [
  ["values", "Values"], ["ast", "Tree"], ["tail", "TAIL"], ["tail-opt", "TAIL, optimised"], ["laila", "Laila"],
  ["c", "C"], ["openmp", "OpenMP"], ["opencl", "Kernels"], ["explain", "Explain"],
];
const HINTS = {
  values: "", explain: "Which arrays are fused into loops, which are written to memory, and why.",
  ast: "What the parser reads.", tail: "The typed array language.", "tail-opt": "The same, simplified.",
  laila: "Parallel operations, behind fusion.", c: "What runs with the target c.",
  openmp: "What runs with the target openmp.", opencl: "What runs on a device with the target opencl.",
};
const LINKED = " Choose a line to see where it comes from; a place in the program marks its lines.";

let links = [], tab = "values", running = false, shown = { tab: "", text: "" };
const kept = { values: null };

// --- asking ---------------------------------------------------------------------------------------------

async function* ask(question) {
  const response = await fetch("ask", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question),
  });
  if (!response.ok) throw new Error(await response.text());
  let rest = "";
  for await (const chunk of chunks(response.body)) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

async function* chunks(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

// A question about the program as it is now, with its inputs.
async function answered(question) {
  question = { text: text(), inputs: given(), ...question };
  for await (const told of ask(question)) if (told.done) return told.done;
  return { error: "the server has gone" };
}

// --- marks in the editor --------------------------------------------------------------------------------

const mark = StateEffect.define(), showTypes = StateEffect.define();

class TypeWidget extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() { return Object.assign(document.createElement("span"), { className: "cm-type", textContent: this.text }); }
}

function field(effect, decorations) {
  return StateField.define({
    create: () => Decoration.none,
    update(value, change) {
      value = value.map(change.changes);
      for (const each of change.effects) if (each.is(effect)) value = decorations(each.value, change.state);
      return value;
    },
    provide: (own) => EditorView.decorations.from(own),
  });
}

const marks = field(mark, (places, state) => Decoration.set(
  places.filter(([from, to]) => from < to && to <= state.doc.length).map(([from, to, own]) =>
    Decoration.mark({ class: own ? "cm-marked" : "cm-also" }).range(from, to)), true));

const typed = field(showTypes, (found, state) => {
  const lines = new Map();
  for (const { label, position } of found) {
    const place = offset(state, position), end = state.doc.lineAt(place).to;
    const word = state.wordAt(Math.max(0, place - 1)), type = label.slice(2);
    const name = word ? state.sliceDoc(word.from, word.to) : "";
    lines.set(end, [...(lines.get(end) ?? []), lines.has(end) ? `${name} : ${type}` : type]);
  }
  return Decoration.set([...lines].map(([end, texts]) =>
    Decoration.widget({ widget: new TypeWidget(texts.join("   ")), side: 1 }).range(end)), true);
});

// Places as the language server has them, and as the editor has them.
function offset(state, { line, character }) {
  if (line >= state.doc.lines) return state.doc.length;
  const { from, to } = state.doc.line(line + 1);
  return Math.min(from + character, to);
}

function position(state, place) {
  const line = state.doc.lineAt(place);
  return { line: line.number - 1, character: place - line.from };
}

// What the language server says in Markdown: code as it is, the rest as paragraphs.
function told(markdown) {
  const parts = markdown.split(/```(?:aplc)?\n?/).map((part, k) =>
    element(k % 2 ? "pre" : "p", { textContent: part.trim() }));
  return element("div", { className: "told" }, ...parts.filter((part) => part.textContent));
}

const hover = hoverTooltip(async (view, place) => {
  const { hover: found } = await answered({ what: "hover", position: position(view.state, place) });
  if (!found) return null;
  return {
    pos: offset(view.state, found.range.start), end: offset(view.state, found.range.end), above: true,
    create: () => ({ dom: told(found.contents.value) }),
  };
});

async function complete(context) {
  const word = context.matchBefore(/`[^\s`]?|:[A-Za-z]*|⎕?[\p{L}\d_∆⍙]+|⎕/u);
  if (!word) return null;
  const { items } = await answered({ what: "complete", position: position(context.state, context.pos) });
  if (!items?.length || context.aborted) return null;
  return {
    from: offset(context.state, items[0].textEdit.range.start),
    options: items.map(({ label, filterText, textEdit, labelDetails, documentation, sortText }) => ({
      label: filterText ?? label, displayLabel: label, apply: textEdit.newText,
      detail: filterText ? "" : labelDetails?.description,
      info: documentation && (() => told(documentation.value)), boost: sortText?.startsWith("2") ? -1 : 0,
    })),
    validFor: /^[\p{L}\d_∆⍙]+$/u,
  };
}

// --- the editor -----------------------------------------------------------------------------------------

const KEY = "aplc play";
const editor = new EditorView({
  parent: $("editor"),
  state: EditorState.create({
    doc: about.program ?? sessionStorage.getItem(KEY) ?? about.samples[0].text,
    extensions: [
      lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), marks, typed, hover,
      apl(about, complete),
      Prec.highest(keymap.of([
        { key: "Mod-Enter", run: () => { run(); return true; } },
        { key: "Tab", run: acceptCompletion },
      ])),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Program", autocapitalize: "off", autocorrect: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed();
        else if (update.selectionSet && update.transactions.some((each) => each.isUserEvent("select"))) pointed();
      }),
    ],
  }),
});
const text = () => editor.state.doc.toString();

let later = 0, version = 0;
function changed(is_text = true) {
  sessionStorage.setItem(KEY, text());
  version += 1;
  if (is_text) editor.dispatch({ effects: mark.of([]) });
  clearTimeout(later);
  later = setTimeout(look, 350);
}

async function look() {
  const now = version;
  const found = await answered({ what: "check" });
  if (now !== version) return;
  const types = found.types ?? [], wrong = found.diagnostics ?? [];
  editor.dispatch(setDiagnostics(editor.state, wrong.filter((each) => each.range).map((each) => ({
    from: offset(editor.state, each.range.start), to: offset(editor.state, each.range.end),
    severity: "error", message: `${each.code}: ${each.message}`,
  }))));
  editor.dispatch({ effects: showTypes.of(types) });
  ask_for(found.inputs ?? []);
  const first = wrong[0];
  $("status").textContent = first ? where(first) : found.error ?? `${types.length} types, no errors`;
  $("status").className = first || found.error ? "wrong" : "";
  if (tab !== "values") await show();
}

function where({ code, message, range }) {
  const place = range ? `${range.start.line + 1}:${range.start.character + 1}: ` : "";
  return `${place}${code}: ${message.split("\n")[0]}`;
}

// --- inputs ---------------------------------------------------------------------------------------------

const INPUTS = "aplc play inputs";
const fields = new Map(Object.entries(JSON.parse(sessionStorage.getItem(INPUTS) ?? "{}")));
function given() { return Object.fromEntries(fields); }

// A field for each name that the program takes from outside.
function ask_for(inputs) {
  const names = inputs.map((each) => each.name).join(" ");
  $("inputs").hidden = !inputs.length;
  for (const { name, type } of inputs) {
    const own = document.getElementById(`input-${name}`);
    if (own) own.placeholder = type ? `from the header: ${type}` : "a value, as 1 2 3";
  }
  if ($("inputs").dataset.names === names) return;
  $("inputs").dataset.names = names;
  $("inputs").replaceChildren(...inputs.map(({ name, type }) => {
    const made = element("input", {
      id: `input-${name}`, value: fields.get(name) ?? "", spellcheck: false, autocomplete: "off",
      placeholder: type ? `from the header: ${type}` : "a value, as 1 2 3",
    });
    made.oninput = () => {
      fields.set(name, made.value);
      sessionStorage.setItem(INPUTS, JSON.stringify(given()));
      changed(false);
    };
    made.onkeydown = (event) => {
      if (event.key === "Enter") run();
      const place = made.selectionStart;
      if (made.value[place - 1] === "`" && event.key in about.backtick) {
        event.preventDefault();
        made.setRangeText(about.backtick[event.key], place - 1, place, "end");
        made.dispatchEvent(new Event("input"));
      }
    };
    return element("label", {}, element("code", { textContent: `${name} ←` }), made);
  }));
}

// --- views ----------------------------------------------------------------------------------------------

function element(name, props = {}, ...children) {
  const made = Object.assign(document.createElement(name), props);
  made.append(...children);
  return made;
}

function picture(svg, className, alt) {
  return element("img", { className, alt, src: "data:image/svg+xml," + encodeURIComponent(svg) });
}

function block(told) { return element("pre", { className: "block", textContent: told }); }

async function choose(name, focus = false) {
  tab = name;
  for (const each of $("tabs").children) {
    const is = each.dataset.tab === name;
    each.setAttribute("aria-selected", is);
    each.tabIndex = is ? 0 : -1;
    if (is) { each.scrollIntoView({ block: "nearest", inline: "nearest" }); if (focus) each.focus(); }
  }
  $("panel").setAttribute("aria-labelledby", `tab-${name}`);
  await show();
}

async function show() {
  const panel = $("panel"), name = tab, now = text();
  $("hint").textContent = HINTS[name] + (["values", "explain"].includes(name) ? "" : LINKED);
  if (name === "values") {
    links = [];
    panel.className = "plain";
    panel.replaceChildren(...(kept.values ?? [element("p", { className: "quiet", textContent: "Ctrl+Enter runs the program." })]));
    return;
  }
  const target = $("target").value;
  const question = name === "explain"
    ? { what: "explain", target: target === "interp" ? "c" : target }
    : { what: "stage", stage: name };
  const found = await answered(question);
  if (tab !== name || text() !== now) return;
  const top = shown.tab === name ? panel.scrollTop : 0;
  shown = { tab: name, text: now };
  links = found.links ?? [];
  panel.className = found.text === undefined ? "plain" : "";
  if (found.error) panel.replaceChildren(block(found.error));
  else if (name === "explain") panel.replaceChildren(
    picture(found.svg, "graph", "loops and arrays"),
    element("pre", { className: "lines", textContent: found.lines.join("\n") }));
  else panel.replaceChildren(code(found.text));
  panel.scrollTop = top;
  pointed(false);
}

function code(told) {
  const linked = new Set(links.map((each) => each[0]));
  return element("div", { className: "code" }, ...told.split("\n").map((line, k) => {
    const made = element("div", { textContent: line, className: linked.has(k) ? "linked" : "" });
    made.dataset.n = k + 1;
    return made;
  }));
}

function lines() { return $("panel").querySelector(".code")?.children ?? []; }

function trace(k) {
  for (const each of lines()) each.classList.remove("active", "here", "own");
  lines()[k]?.classList.add("active");
  lines()[k]?.scrollIntoView({ block: "nearest" });
  const places = links.filter((each) => each[0] === k).map(([, from, to, own]) => [from, to, own]);
  const effects = [mark.of(places)];
  const first = places.find((each) => each[2]) ?? places[0];
  if (first) effects.push(EditorView.scrollIntoView(first[0], { y: "nearest" }));
  editor.dispatch({ effects });
}

function pointed(scroll = true) {
  const place = editor.state.selection.main.head;
  const around = links.filter(([, from, to]) => from <= place && place <= to);
  const least = Math.min(...around.map(([, from, to]) => to - from));
  const chosen = around.filter(([, from, to]) => to - from === least);
  for (const each of lines()) each.classList.remove("active", "here", "own");
  for (const [k, , , own] of chosen) lines()[k]?.classList.add("here", ...(own ? ["own"] : []));
  if (scroll) {
    editor.dispatch({ effects: mark.of(chosen.length ? [[chosen[0][1], chosen[0][2], true]] : []) });
    const first = chosen.find((each) => each[3]) ?? chosen[0];
    if (first) lines()[first[0]]?.scrollIntoView({ block: "nearest" });
  }
}

$("panel").addEventListener("click", (event) => {
  const line = event.target.closest(".code > div");
  if (line && !getSelection().toString()) trace(line.dataset.n - 1);
});
$("panel").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !lines().length) return;
  event.preventDefault();
  const now = [...lines()].findIndex((each) => each.classList.contains("active"));
  trace(Math.max(0, Math.min(lines().length - 1, now + step)));
});

// --- running --------------------------------------------------------------------------------------------

function state(is) {
  running = is;
  $("run").disabled = is;
  $("stop").disabled = !is;
}

async function run() {
  if (running) return;
  state(true);
  kept.values = [];
  const wait = element("p", { className: "quiet", textContent: "running …" });
  const add = (made) => { kept.values.push(made); if (tab === "values") wait.before(made); };
  await choose("values");
  $("panel").replaceChildren(wait);
  try {
    for await (const told of ask({ what: "run", text: text(), inputs: given(), target: $("target").value })) {
      if (told.shown) add(value(told.shown));
      if (told.done) finish(told.done, add);
    }
  } catch (error) { add(block(String(error.message ?? error))); }
  wait.remove();
  state(false);
}

function value({ text, table, svg }) {
  const made = element("div", { className: "value" });
  if (svg) made.append(picture(svg, "", "the value as a picture"));
  if (table) made.append(Object.assign(element("div"), { innerHTML: table }));
  else if (svg && text.length > 400) made.append(element("details", {}, element("summary", { textContent: "as text" }), element("pre", { textContent: text })));
  else made.append(element("pre", { textContent: text }));
  return made;
}

function finish(done, add) {
  if (done.left_out) add(element("p", { className: "quiet", textContent: `and ${done.left_out} more values` }));
  if (done.error) add(block(done.error));
  else if (!kept.values.length) add(element("p", { className: "quiet", textContent: "It shows no value: an assignment shows none." }));
  if (done.times) {
    const ms = (seconds) => seconds < 1 ? `${+(seconds * 1000).toPrecision(3)} ms` : `${seconds.toFixed(2)} s`;
    add(element("p", { className: "quiet", textContent: `compiled in ${ms(done.times.compile)}, ran ${ms(done.times.run)}` }));
  }
}

// --- the bars -------------------------------------------------------------------------------------------

const ROWS = ["←", "+-×÷*⍟⌹○!?", "|⌈⌊⊥⊤⊣⊢", "=≠≤<>≥≡≢", "∨∧⍲⍱", "↑↓⊂⊃⊆⌷⍋⍒", "⍳⍸∊⍷∪∩~", "/\\⌿⍀", ",⍪⍴⌽⊖⍉", "¨⍨⍣.∘⍤⍥@", "⍞⎕⍎⍕⋄⍝", "⍵⍺∇¯⍬⌸⌺"];
function bar() {
  const keys = Object.fromEntries(Object.entries(about.backtick).map(([key, symbol]) => [symbol, key]));
  for (const [k, row] of ROWS.entries()) {
    if (k) $("glyphs").append(element("i"));
    for (const symbol of row) {
      const told = about.described[symbol] ?? [];
      const lines = told.length ? told : [keys[symbol] ? `typed as   \`${keys[symbol]}` : symbol];
      const made = element("button", { textContent: symbol, tabIndex: -1, ariaLabel: `${symbol} ${lines[0]}` });
      made.onclick = () => { editor.dispatch(editor.state.replaceSelection(symbol)); editor.focus(); tip(null); };
      made.onmousedown = (event) => event.preventDefault();
      made.onmouseenter = () => tip(made, lines.join("\n"));
      made.onfocus = () => tip(made, lines.join("\n"));
      made.onmouseleave = made.onblur = () => tip(null);
      $("glyphs").append(made);
    }
  }
  roving($("glyphs"));
}

function tip(at, told) {
  document.getElementById("tip")?.remove();
  if (!at) return;
  const made = element("div", { id: "tip", textContent: told });
  document.body.append(made);
  const box = at.getBoundingClientRect();
  made.style.top = `${box.bottom + 4 + scrollY}px`;
  made.style.left = `${Math.max(6, Math.min(box.left, innerWidth - made.offsetWidth - 6))}px`;
}

function roving(bar, chosen) {
  const buttons = () => [...bar.querySelectorAll("button")];
  buttons()[0].tabIndex = 0;
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const now = buttons().indexOf(document.activeElement);
    if (!step || now < 0) return;
    event.preventDefault();
    const next = buttons()[(now + step + buttons().length) % buttons().length];
    for (const each of buttons()) each.tabIndex = each === next ? 0 : -1;
    next.focus();
    chosen?.(next);
  });
}

for (const [name, title] of TABS) {
  const made = element("button", { textContent: title, id: `tab-${name}` });
  made.dataset.tab = name;
  made.setAttribute("role", "tab");
  made.setAttribute("aria-controls", "panel");
  made.onclick = () => choose(name);
  $("tabs").append(made);
}
roving($("tabs"), (made) => choose(made.dataset.tab, true));
bar();
$("target").append(...about.targets.map((each) => element("option", { textContent: each, value: each })));
$("target").value = "c";
$("target").onchange = () => { if (tab === "explain") show(); };
$("sample").append(element("option", { textContent: "choose …", value: "" }));
$("sample").append(...about.samples.map(({ title }, k) => element("option", { textContent: title, value: k })));
$("sample").onchange = () => {
  if ($("sample").value === "") return;
  const insert = about.samples[$("sample").value].text;
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } });
  kept.values = null;
  $("sample").value = "";
  run();
};
$("run").onclick = run;
$("stop").onclick = () => fetch("stop", { method: "POST" });
await choose("values");
look();
editor.focus();
document.documentElement.dataset.ready = "";
