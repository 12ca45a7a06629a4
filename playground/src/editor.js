// The editor for SQL, which completes the names of macros.
import { autocompletion } from "@codemirror/autocomplete";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { minimalSetup } from "codemirror";
import { ask, sql as query } from "./engine.js";

const theme = EditorView.theme({
  "&": {
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    borderRadius: "10px",
    border: "1px solid var(--line)",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "12px 6px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--page)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--page)",
  },
  ".cm-completionInfo": { maxWidth: "340px", padding: "6px 10px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--line)",
  },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--up)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--c6)" },
  { tag: tags.comment, color: "var(--soft)" },
]);

/** An editor in `parent`; `run` is called for Ctrl+Enter or ⌘+Enter. */
export async function open(parent, text, run) {
  const macros = await ask(query`
    SELECT function_name AS name, any_value(array_to_string(parameters, ', ')) AS parameters,
        any_value(comment) AS meaning
    FROM duckdb_functions()
    WHERE comment LIKE '%[sqlmetrics]' AND NOT starts_with(function_name, '_')
    GROUP BY function_name ORDER BY function_name`);
  const options = macros.map(({ name, parameters, meaning }) => ({
    label: name,
    type: "function",
    detail: `(${parameters})`,
    info: meaning.replace(/ ?\[sqlmetrics\]$/, ""),
    boost: 5,
  }));
  const complete = (context) => {
    const word = context.matchBefore(/\w+/);
    return word || context.explicit ? { from: word?.from ?? context.pos, options, validFor: /^\w*$/ } : null;
  };
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
      minimalSetup,
      sql({
        dialect: PostgreSQL,
        schema: {
          qrels: ["query_id", "doc_id", "relevance"],
          runs: ["run_id", "query_id", "doc_id", "score"],
          scores: ["run_id", "query_id", "metric", "score"],
        },
      }),
      PostgreSQL.language.data.of({ autocomplete: complete }),
      autocompletion({ icons: false }),
      syntaxHighlighting(colours),
      theme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "SQL", "aria-describedby": "keys" }),
    ],
  });
}

export const read = (view) => view.state.doc.toString();

/** The statements of the editor, without what ends them. */
export function readStatements(view) {
  const nodes = PostgreSQL.language.parser.parse(read(view)).topNode.getChildren("Statement");
  return nodes.map(({ from, to }) => view.state.sliceDoc(from, to).replace(/;$/, "")).filter(Boolean);
}

export function write(view, text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}
