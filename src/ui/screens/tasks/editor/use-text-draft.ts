import { useEffect, useState } from 'react';
import { isRow } from '../../../frame/records/row.ts';

/** Unsaved text, and the version that it was made from. */
interface TextDraft {
  readonly text: string;
  readonly version: number;
}

export interface TextDraftState {
  readonly draft: TextDraft | null;
  edit(text: string): void;
  /** The draft is based on this version from now on. */
  rebase(version: number): void;
  drop(): void;
}

const prefix = 'headgate.draft.';

/** What is typed stays on this machine until it is saved or thrown away, also when the page is closed. */
export function useTextDraft(name: string, saved: TextDraft): TextDraftState {
  const key = `${prefix}${name}`;
  const [draft, setDraft] = useState(() => stored(key));
  // Storage may be denied or full: then the browser asks before the page is closed.
  const isKept = draft === null || stored(key)?.text === draft.text;
  useEffect(() => {
    if (isKept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isKept]);
  const keep = (next: TextDraft | null) => {
    try {
      if (next === null) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // As above.
    }
    setDraft(next);
  };
  return {
    draft,
    edit: (text) => {
      const version = draft?.version ?? saved.version;
      keep(text === saved.text && version === saved.version ? null : { text, version });
    },
    rebase: (version) => {
      if (draft !== null) keep({ text: draft.text, version });
    },
    drop: () => keep(null),
  };
}

function stored(key: string): TextDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (!isRow(value)) return null;
    const { text, version } = value;
    return typeof text === 'string' && typeof version === 'number' ? { text, version } : null;
  } catch {
    return null;
  }
}
