// APL in the editor: its colours, and symbols behind a backtick.

import { StreamLanguage, HighlightStyle, syntaxHighlighting, tags, EditorView, autocompletion } from "./codemirror.js";

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)" },
  { tag: tags.string, color: "var(--text)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.operator, color: "var(--glyph)" },
  { tag: tags.variableName, color: "var(--word)" },
  { tag: tags.keyword, color: "var(--glyph)", fontWeight: "600" },
]);

const LANGUAGE = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/⍝.*/)) return "comment";
    if (stream.match(/'(?:[^']|'')*'?/) || stream.match(/"(?:[^"]|"")*"?/)) return "string";
    if (stream.match(/¯?(?:\d+\.?\d*|\.\d+)(?:[Ee]¯?\d+)?(?:[Jj]¯?\d*\.?\d*)?/)) return "number";
    if (stream.match(/[⍺⍵∇]+/) || stream.match(/:[A-Za-z]+/)) return "keyword";
    if (stream.match(/⎕?[\p{L}_∆⍙][\p{L}\d_∆⍙]*/u)) return "variableName";
    stream.next();
    return /[(){}\[\];⋄]/.test(stream.current()) ? null : "operator";
  },
  languageData: { commentTokens: { line: "⍝" } },
});

function backtick(keys) {
  return EditorView.inputHandler.of((view, from, to, text) => {
    if (text.length !== 1 || from !== to || from === 0) return false;
    if (view.state.sliceDoc(from - 1, from) !== "`" || !(text in keys)) return false;
    view.dispatch({
      changes: { from: from - 1, to, insert: keys[text] },
      selection: { anchor: from - 1 + keys[text].length },
      userEvent: "input.type",
    });
    return true;
  });
}

export function apl(about, complete) {
  const completion = autocompletion({ override: [complete] });
  return [LANGUAGE, syntaxHighlighting(COLOURS), backtick(about.backtick), completion];
}
