import { useEffect, useRef, useState } from 'react';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { type Draft, editDraft, isOutdated, rebaseDraft, type Saved } from './draft.ts';

export interface DraftState<V> {
  /** The value to show in the controls. */
  readonly value: V;
  readonly draft: Draft<V> | null;
  /** Whether another value has been saved since the draft was started. */
  readonly outdated: boolean;
  edit(change: (value: V) => V): void;
  /** Discards the draft, on request or after a save. */
  drop(): void;
  /** Rebases the draft onto what is saved now. */
  keep(over: Saved<V>): void;
  /** The latest draft, for code that continues after a response. */
  current(): Draft<V> | null;
}

/**
 * Unsaved edits of a widget. A refresh changes the shown value only while there are none. The draft survives unmounting, and the
 * browser asks before the page is closed with one.
 */
export function useDraft<V>(
  widgetId: string,
  saved: Saved<V>,
  same: (one: V, other: V) => boolean,
): DraftState<V> {
  const { drafts } = useWidgetHost();
  const [draft, setDraft] = useState(() => (drafts.get(widgetId) as Draft<V> | undefined) ?? null);
  const latest = useRef(draft);

  function store(next: Draft<V> | null): void {
    latest.current = next;
    if (next === null) drafts.delete(widgetId);
    else drafts.set(widgetId, next);
    setDraft(next);
  }

  const dirty = draft !== null;
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);

  return {
    value: draft?.value ?? saved.value,
    draft,
    outdated: isOutdated(draft, saved, same),
    edit: (change) =>
      store(editDraft(latest.current, saved, change(latest.current?.value ?? saved.value), same)),
    drop: () => store(null),
    keep: (over) => {
      if (latest.current !== null) store(rebaseDraft(latest.current, over, same));
    },
    current: () => latest.current,
  };
}
