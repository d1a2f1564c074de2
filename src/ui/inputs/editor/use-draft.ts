import { useEffect, useRef, useState } from 'react';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { type Draft, editDraft, isOutdated, rebaseDraft, type Saved } from './draft.ts';

export interface DraftState<V> {
  /** What stands in the controls. */
  readonly value: V;
  readonly draft: Draft<V> | null;
  /** Whether another value has been saved under the draft. */
  readonly outdated: boolean;
  edit(change: (value: V) => V): void;
  /** Back to what is saved: one's own decision, or after a save. */
  drop(): void;
  /** Goes on with the draft over what is saved now. */
  keep(over: Saved<V>): void;
  /** The draft at this moment, for what goes on after an answer has come. */
  current(): Draft<V> | null;
}

/**
 * What is typed into a widget over what is saved. A refresh changes what is shown only while nothing is typed. The draft outlives
 * the component, and leaving the page with one is asked for.
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
