import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ConflictNote, isConflict } from '../../../frame/forms/save-problem.tsx';
import type { Row } from '../../../frame/records/row.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type JobConfig = components['schemas']['JobConfig'];

/** One entry of a job's configuration. */
export interface EntryProps {
  readonly id: number;
  readonly name: string;
  readonly entry: Row;
  readonly config: JobConfig;
  readonly may: boolean;
}

/** What is typed into an entry, and the configuration that it was begun from; null: nothing. */
type EntryDraft<V> = { readonly value: V; readonly base: JobConfig } | null;

export interface EntryEditor<V> {
  /** What is typed, else what is saved. */
  readonly value: V;
  readonly isPending: boolean;
  readonly error: Error | null;
  edit(value: V): void;
  save(): void;
  /** On top of what somebody else has saved. */
  keep(): void;
  /** What is typed is thrown away. */
  drop(): void;
}

/**
 * One entry as it is edited. What is typed stays while the configuration is read again, and is saved unless somebody else has changed the
 * same entry since: another entry is no conflict.
 */
export function useEntryEditor<V>(
  { id, name, config }: EntryProps,
  saved: V,
  toSend: (value: V) => unknown,
): EntryEditor<V> {
  const client = useQueryClient();
  const api = useApi();
  const [draft, setDraft] = useState<EntryDraft<V>>(null);
  const key = ['job', id, 'config'];
  const put = (value: unknown, { version }: JobConfig) =>
    api.PUT('/api/jobs/{id}/config/{key}', {
      params: { path: { id, key: name }, header: { 'If-Match': `"${version}"` } },
      body: { value },
    });
  const action = useMutation({
    async mutationFn({ value, base }: { readonly value: V; readonly base: JobConfig }) {
      try {
        return await put(toSend(value), base);
      } catch (error) {
        if (!(error instanceof Error && isConflict(error))) throw error;
        const newest = await api.GET('/api/jobs/{id}/config', { params: { path: { id } } });
        client.setQueryData(key, newest);
        if (!isSame(newest.values[name], base.values[name])) throw error;
        return await put(toSend(value), newest);
      }
    },
    onSuccess(next, sent) {
      client.setQueryData(key, next);
      void client.invalidateQueries({ queryKey: ['job', id, 'config-history'] });
      setDraft((now) => (now === null || now.value === sent.value ? null : { ...now, base: next }));
    },
  });
  const { isPending, error } = action;
  return {
    value: draft?.value ?? saved,
    isPending,
    error,
    edit: (value) => setDraft({ value, base: draft?.base ?? config }),
    save: () => draft !== null && action.mutate(draft),
    keep: () => draft !== null && action.mutate({ ...draft, base: config }),
    drop() {
      setDraft(null);
      action.reset();
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface SaveButtonProps {
  readonly editor: Pick<EntryEditor<unknown>, 'isPending' | 'error' | 'keep' | 'drop'>;
  readonly isChanged: boolean;
  /** As they would be saved, and as they are saved. */
  readonly mine: unknown;
  readonly theirs: unknown;
}

export function SaveButton({ editor, isChanged, mine, theirs }: SaveButtonProps): ReactNode {
  const { connectors, jobs } = useTexts();
  return (
    <>
      {isConflict(editor.error) ? (
        <ConflictNote mine={mine} theirs={theirs} onKeep={editor.keep} onTake={editor.drop} />
      ) : (
        <FormProblem error={editor.error} />
      )}
      <div className="form-buttons">
        <button type="submit" className="button" disabled={editor.isPending || !isChanged}>
          {connectors.save}
        </button>
        <span className="field-hint">{jobs.futureRuns}</span>
      </div>
    </>
  );
}
