import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentService,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, StateEffect, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { schemaCompletion } from './completion/schema-completion.ts';
import type { Vocabulary } from './completion/vocabulary.ts';
import { formatEditor } from './format/format-editor.ts';

const checkDelayMs = 400;

/** A place of the text that is wrong, counted from 1. Without a line it concerns the whole. */
export interface TextProblem {
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** It can be saved all the same. */
  readonly isWarning?: boolean;
}

export interface EditorOptions {
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  /** The editor's own words, in the language of the page. */
  readonly phrases: Readonly<Record<string, string>>;
  onChange(text: string): void;
  /** Where the cursor is, in characters from 0. */
  onCursor(offset: number): void;
  /** Completes what is typed; asked each time. */
  vocabulary(): Vocabulary;
  /** Null where nobody can say. */
  check(text: string): Promise<readonly TextProblem[] | null>;
  onSave(): void;
  /** False: the text is not valid, and stays as it is. */
  onFormat(isFormatted: boolean): void;
}

/**
 * An editor of YAML inside `place`. It lives in a shadow tree, whose style sheets are objects: the page's policy allows no style
 * elements. Tab leaves it; Ctrl-] and Ctrl-[ indent.
 */
export function createEditor(place: HTMLElement, options: EditorOptions): EditorView {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const extensions = options.readOnly ? [EditorState.readOnly.of(true)] : writing(options);
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        drawSelection(),
        bracketMatching(),
        highlightSelectionMatches(),
        search({ top: true }),
        yaml(),
        syntaxHighlighting(colours),
        theme,
        EditorView.lineWrapping,
        // The index says to tools that a long text can be scrolled by the keyboard.
        EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
        EditorState.phrases.of({ ...options.phrases }),
        keymap.of([...searchKeymap, ...foldKeymap]),
        extensions,
      ],
    }),
  });
}

function writing({ vocabulary, onChange, onCursor, check, onSave, onFormat }: EditorOptions): Extension {
  const save = () => {
    onSave();
    return true;
  };
  const format = (view: EditorView) => {
    onFormat(formatEditor(view));
    return true;
  };
  return [
    history(),
    belowKey,
    indentOnInput(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lintGutter(),
    linter(
      async ({ state: { doc } }) =>
        ((await check(doc.toString())) ?? []).map((problem) => diagnosticOf(doc, problem)),
      {
        delay: checkDelayMs,
        needsRefresh: ({ transactions }) =>
          transactions.some(({ effects }) => effects.some((effect) => effect.is(checkAgain))),
      },
    ),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) onChange(state.doc.toString());
      if (docChanged || selectionSet) onCursor(state.selection.main.head);
    }),
    overSelection,
    schemaCompletion(vocabulary),
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: save },
      { key: 'Shift-Alt-f', preventDefault: true, run: format },
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ];
}

/** A new line after a key without a value begins what is under it. */
const belowKey = indentService.of((context, position) => {
  const { text, from } = context.lineAt(position, -1);
  if (from + text.length !== position) return undefined;
  const before = /^(\s*(?:-\s+)*)(?![\s#-])[^#]*:\s*$/.exec(text)?.[1];
  return before === undefined ? undefined : before.length + 2;
});

/** Chromium keeps the style of selected text that is typed over in a style attribute, which the page's policy refuses. */
const overSelection = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { state, composing } = view;
    if (inputType !== 'insertText' || data === null || composing || state.selection.main.empty) return false;
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

const checkAgain = StateEffect.define<null>();

/** Checks a text again that has not changed: the server may say something else by now. */
export function recheck(view: EditorView): void {
  view.dispatch({ effects: checkAgain.of(null) });
}

/** Puts the cursor where a problem is. */
export function goTo(view: EditorView, problem: TextProblem): void {
  const anchor = diagnosticOf(view.state.doc, problem).from;
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}

/** From its place to the end of the word there; a text that changed since has at least the line. */
function diagnosticOf(doc: Text, { message, line = 1, column = 1, isWarning }: TextProblem): Diagnostic {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(found.from + Math.max(column - 1, 0), found.to);
  const word = /^[^\s,:{}[\]]+/.exec(found.text.slice(from - found.from))?.[0] ?? '';
  return { from, to: from + word.length, severity: isWarning ? 'warning' : 'error', message };
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--success)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.typeName, tags.labelName, tags.meta], color: 'var(--warning)' },
]);

const theme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--field)',
    borderRadius: 'var(--radius-small)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.55',
    maxHeight: 'var(--editor-height-max, 70vh)',
    minHeight: '160px',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 26%, var(--surface))',
  },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--sunken)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 6%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'color-mix(in oklab, var(--accent) 22%, transparent)' },
  '.cm-selectionMatch, .cm-searchMatch': {
    backgroundColor: 'color-mix(in oklab, var(--warning) 28%, transparent)',
  },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    maxWidth: 'min(420px, 90vw)',
    fontFamily: 'var(--sans)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '13px' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-accent)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionInfo, .cm-meaning': { margin: '0', padding: '6px 10px', fontSize: '13px' },
  '.cm-completionInfo code, .cm-meaning code': { fontFamily: 'var(--mono)', fontSize: '12px' },
  // Where there is no room beside the list: below it, or above a list that stands above its line, in place of upon it.
  '.cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow': {
    inset: '100% 0 auto !important',
    width: 'auto !important',
    maxWidth: 'none !important',
  },
  '.cm-tooltip-above .cm-completionInfo-left-narrow, .cm-tooltip-above .cm-completionInfo-right-narrow': {
    inset: 'auto 0 100% !important',
  },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--sunken)', fontFamily: 'var(--sans)' },
  '.cm-panels input, .cm-panels button': { color: 'var(--text)', backgroundImage: 'none', font: 'inherit' },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--field)',
    borderRadius: 'var(--radius-small)',
  },
});
