import { useState } from 'react';
import { ApiError, type ApiProblem } from '../../api/api-error.ts';
import type { SubmitAnswer } from '../../api/widget-calls.ts';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import type { InputWords } from '../../texts/en/widgets/inputs.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { type Saved, versionToSend } from './draft.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { usePayload } from './use-payload.ts';

/** What an editor needs to know about the part of the job's configuration that it edits. */
export interface EditorSettings<V> {
  readonly widgetId: string;
  readonly saved: Saved<V>;
  same(one: V, other: V): boolean;
  /** The draft in the form that the API accepts. */
  toSend(value: V): unknown;
  /** The saved value in a widget's payload. */
  readSaved(data: unknown): Saved<V>;
  /** The payload with the saved value replaced. */
  withSaved(data: unknown, answer: SubmitAnswer): unknown;
  /** Called with the problems when the server refuses to save. */
  onProblems(problems: readonly ApiProblem[], sent: V): void;
}

export interface Editor<V> extends DraftState<V> {
  readonly state: 'idle' | 'saving' | 'saved';
  /** Why saving failed, unless single values are the reason. */
  readonly failure: string | null;
  save(): Promise<void>;
  /** Discards the draft, which also loads what somebody else has saved. */
  discard(): void;
  keepMine(): void;
}

/**
 * Saves a draft on top of the version that it is based on. If somebody else has saved a different value in the meantime, the draft
 * stays and the reader chooses. If only another part of the configuration has changed, it is saved on top of the new version.
 */
export function useEditor<V>(settings: EditorSettings<V>): Editor<V> {
  const words = useInputWords();
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
      setFailure(failureWords(error, words));
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

/** Null if the problems are shown at the fields. */
function failureWords(error: ApiError, words: InputWords): string | null {
  if (error.status === 412) return words.theirsNotSaved;
  if (error.details.length > 0) return null;
  if (error.status === 0) return words.unreachableNotSaved;
  return words.notSaved(error.message);
}
