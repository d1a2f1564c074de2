import type { EditorView } from '@codemirror/view';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { emptyVocabulary, type Vocabulary } from './completion/vocabulary.ts';
import { createEditor, goTo, recheck, type TextProblem } from './create-editor.ts';
import { formatEditor, replaceText } from './format/format-editor.ts';

export interface YamlEditorHandle {
  goTo(problem: TextProblem): void;
  format(): void;
  /** Checks the text again, though it has not changed. */
  check(): void;
  /** As one step that can be undone. */
  replace(text: string): void;
}

export interface YamlEditorProps {
  readonly label: string;
  /** What it begins with; another text needs another `key`. */
  readonly text: string;
  readonly readOnly?: boolean;
  readonly handle?: Ref<YamlEditorHandle>;
  /** Completes what is typed. Default: nothing does. */
  readonly vocabulary?: Vocabulary;
  onChange?(text: string): void;
  /** In characters from 0. */
  onCursor?(offset: number): void;
  check?(text: string): Promise<readonly TextProblem[] | null>;
  onSave?(): void;
  /** False: the text is not valid, and stays as it is. */
  onFormat?(isFormatted: boolean): void;
}

/** YAML in its colours, to read or to write. */
export function YamlEditor(props: YamlEditorProps): ReactNode {
  const { editor } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;
  const first = useRef({ phrases: editor.phrases });
  useEffect(() => {
    if (place.current === null) return;
    const { label, text, readOnly = false } = latest.current;
    const made = createEditor(place.current, {
      label,
      text,
      readOnly,
      phrases: first.current.phrases,
      vocabulary: () => latest.current.vocabulary ?? emptyVocabulary,
      onChange: (next) => latest.current.onChange?.(next),
      onCursor: (offset) => latest.current.onCursor?.(offset),
      check: async (next) => (await latest.current.check?.(next)) ?? null,
      onSave: () => latest.current.onSave?.(),
      onFormat: (isFormatted) => latest.current.onFormat?.(isFormatted),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useImperativeHandle(props.handle, () => ({
    goTo(problem) {
      if (view.current !== null) goTo(view.current, problem);
    },
    format() {
      if (view.current === null) return;
      latest.current.onFormat?.(formatEditor(view.current));
      view.current.focus();
    },
    check() {
      if (view.current !== null) recheck(view.current);
    },
    replace(text) {
      if (view.current === null) return;
      replaceText(view.current, text);
      view.current.focus();
    },
  }));
  return <div ref={place} className="yaml-editor" />;
}
