import type { ChangeSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { diffLines } from 'diff';
import { formatYaml } from './format-yaml.ts';

/** Formats the text as one step that can be undone; the cursor stays in its line. False where the text is not valid. */
export function formatEditor(view: EditorView): boolean {
  const text = view.state.doc.toString();
  const formatted = formatYaml(text);
  if (formatted === null) return false;
  replaceText(view, formatted);
  return true;
}

/** Another text as one step that can be undone; the cursor stays in its line where that is still there. */
export function replaceText(view: EditorView, next: string): void {
  const changes = changesTo(view.state.doc.toString(), next);
  view.dispatch({ changes, userEvent: 'input.replace', scrollIntoView: true });
}

function changesTo(text: string, next: string): ChangeSpec[] {
  const changes: ChangeSpec[] = [];
  let at = 0;
  for (const { value, added, removed } of diffLines(text, next)) {
    if (added) changes.push({ from: at, insert: value });
    else if (removed) changes.push({ from: at, to: at + value.length });
    if (!added) at += value.length;
  }
  return changes;
}
