import { useState } from 'react';
import { ApiError, type ApiProblem } from '../../api/api-error.ts';
import type { SubmitAnswer } from '../../api/widget-calls.ts';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { type Saved, versionToSend } from './draft.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { usePayload } from './use-payload.ts';

/** What an editor of a part of the job's configuration is made of. */
export interface EditorSettings<V> {
  readonly widgetId: string;
  readonly saved: Saved<V>;
  same(one: V, other: V): boolean;
  /** The draft as the server takes it. */
  toSend(value: V): unknown;
  /** What is saved, out of the widget's payload. */
  readSaved(data: unknown): Saved<V>;
  /** The payload with another saved value in it. */
  withSaved(data: unknown, answer: SubmitAnswer): unknown;
  /** Told what is wrong with what was sent, when the server has refused to save it. */
  onProblems(problems: readonly ApiProblem[], sent: V): void;
}

export interface Editor<V> extends DraftState<V> {
  readonly state: 'idle' | 'saving' | 'saved';
  /** Why nothing was saved, where that has nothing to do with a single value. */
  readonly failure: string | null;
  save(): Promise<void>;
  /** Back to what is saved: one's own text goes, or the one that somebody else has saved comes. */
  discard(): void;
  keepMine(): void;
}

/**
 * Saves a draft over the version that it was typed over. Where somebody else has saved another value meanwhile the draft stays, and
 * the reader chooses; where only another part of the configuration has changed, it is saved over the new version without a word.
 */
export function useEditor<V>(settings: EditorSettings<V>): Editor<V> {
  const { widgetId, saved, same } = settings;
  const payload = usePayload(widgetId);
  const { calls } = useWidgetHost();
  const draft = useDraft(widgetId, saved, same);
  const [state, setState] = useState<Editor<V>['state']>('idle');
  const [failure, setFailure] = useState<string | null>(null);

  async function send(over: Saved<V>, again: boolean): Promise<void> {
    const typed = draft.current();
    if (typed === null) return;
    const value = settings.toSend(typed.value);
    const version = versionToSend(typed, over, same);
    try {
      const answer = await calls.submit(widgetId, { value, version });
      await settle(typed.value, answer);
    } catch (error) {
      if (again && error instanceof ApiError && error.status === 412) {
        const data = await payload.renew();
        const now = data === undefined ? null : settings.readSaved(data);
        if (now !== null && same(typed.base, now.value)) return send(now, false);
      }
      setState('idle');
      if (!(error instanceof ApiError)) throw error;
      setFailure(failureWords(error));
      if (error.details.length > 0) settings.onProblems(error.details, typed.value);
    }
  }

  async function settle(sent: V, answer: SubmitAnswer): Promise<void> {
    const data = await payload.replace((was) => settings.withSaved(was, answer));
    const typed = draft.current();
    if (typed === null || same(typed.value, sent)) draft.drop();
    else draft.keep(settings.readSaved(data));
    setState('saved');
    payload.renewAll();
  }

  return {
    ...draft,
    state,
    failure,
    edit: (change) => {
      draft.edit(change);
      setState((was) => (was === 'saved' ? 'idle' : was));
      setFailure(null);
    },
    save: async () => {
      if (state === 'saving') return;
      setState('saving');
      setFailure(null);
      await send(saved, true);
    },
    discard: () => {
      draft.drop();
      setState('idle');
      setFailure(null);
    },
    keepMine: () => {
      draft.keep(saved);
      setFailure(null);
    },
  };
}

/** Null where the fields say it. */
function failureWords(error: ApiError): string | null {
  if (error.status === 412) return 'Somebody else has saved this meanwhile. Nothing was saved; try again.';
  if (error.details.length > 0) return null;
  if (error.status === 0) return 'The server cannot be reached. Nothing was saved; try again.';
  return `Nothing was saved. ${error.message}`;
}
