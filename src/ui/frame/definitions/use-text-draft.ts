import { useEffect, useState } from 'react';
import { isRow } from '../records/row.ts';

/** What can be typed: the text, and the name and description beside it, where it has them. */
export interface TypedText {
  readonly text: string;
  readonly name: string;
  readonly description: string;
}

/** What is not saved, and the version that it was made from. */
export interface TextDraft extends TypedText {
  readonly version: number;
}

export interface TextDraftState {
  readonly draft: TextDraft | null;
  edit(change: Partial<TypedText>): void;
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
  const kept = draft === null ? null : stored(key);
  const isKept = draft === null || (kept !== null && isSame(kept, draft));
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
    edit: (change) => {
      const next = { ...(draft ?? saved), ...change };
      keep(isSame(next, saved) ? null : next);
    },
    rebase: (version) => {
      if (draft !== null) keep({ ...draft, version });
    },
    drop: () => keep(null),
  };
}

function isSame(one: TextDraft, other: TextDraft): boolean {
  return (
    one.text === other.text &&
    one.version === other.version &&
    one.name === other.name &&
    one.description === other.description
  );
}

function stored(key: string): TextDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (!isRow(value)) return null;
    const { text, version, name = '', description = '' } = value;
    const isDraft =
      typeof text === 'string' &&
      typeof version === 'number' &&
      typeof name === 'string' &&
      typeof description === 'string';
    return isDraft ? { text, version, name, description } : null;
  } catch {
    return null;
  }
}
