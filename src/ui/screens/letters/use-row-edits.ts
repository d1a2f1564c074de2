import { useEffect, useState } from 'react';
import type { RowEdit } from './row-edit.ts';

const storageKey = 'headgate.row-edits';

export type RowEdits = Readonly<Record<number, RowEdit>>;

/** What was typed into rows, by their letters. It outlives a reload of this tab. */
export function useRowEdits() {
  const [edits, setEdits] = useState<RowEdits>(stored);
  useEffect(() => {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(edits));
    } catch {
      // Storage may be denied or full: the edits then last until the page is closed.
    }
  }, [edits]);
  const set = (id: number, edit: RowEdit) => setEdits((now) => ({ ...now, [id]: edit }));
  const drop = (ids: readonly number[]) =>
    setEdits((now) => Object.fromEntries(Object.entries(now).filter(([id]) => !ids.includes(Number(id)))));
  return { edits, set, drop };
}

function stored(): RowEdits {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as RowEdits;
  } catch {
    return {};
  }
}
