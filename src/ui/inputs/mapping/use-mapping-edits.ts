import { useEffect, useRef, useState } from 'react';
import { useInputWords } from '../../texts/input-words.ts';
import type { Editor } from '../editor/use-editor.ts';
import { addRow, type MappingPart, type MappingRow, moveRow } from './mapping-rows.ts';

export interface MappingEdits {
  /** Announcement of the last edit, for screen readers. */
  readonly said: string;
  change(row: MappingRow, part: MappingPart, value: string): void;
  /** By -1 or 1. */
  move(row: MappingRow, by: number): void;
  remove(row: MappingRow): void;
  add(): void;
}

/** Edits of rows that also move the focus to where the reader continues. `idOf` gives the id of a row's control or the add button. */
export function useMappingEdits(
  editor: Editor<readonly MappingRow[]>,
  idOf: (row: MappingRow | null, part: string) => string,
): MappingEdits {
  const words = useInputWords();
  const [said, setSaid] = useState('');
  const focusLater = useFocusLater();
  const rows = editor.value;
  return {
    said,
    change: (row, part, value) => {
      editor.edit((all) => all.map((other) => (other.id === row.id ? { ...other, [part]: value } : other)));
    },
    move: (row, by) => {
      const to = rows.indexOf(row) + by;
      editor.edit((all) => moveRow(all, rows.indexOf(row), to));
      focusLater(idOf(row, by < 0 ? 'up' : 'down'));
      setSaid(words.mapping.moved(to + 1, rows.length));
    },
    remove: (row) => {
      const at = rows.indexOf(row);
      const next = rows[at + 1] ?? rows[at - 1];
      editor.edit((all) => all.filter((other) => other.id !== row.id));
      focusLater(next === undefined ? idOf(null, 'add') : idOf(next, 'remove'));
      setSaid(words.mapping.removed(rows.length - 1));
    },
    add: () => {
      editor.edit(addRow);
      focusLater(idOf(addRow(rows).at(-1) ?? null, 'source'));
    },
  };
}

/** Focuses an element by id after the next render, when it exists and has its final position. */
function useFocusLater(): (id: string) => void {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    document.getElementById(wanted.current)?.focus();
    wanted.current = null;
  });
  return (id) => {
    wanted.current = id;
  };
}
