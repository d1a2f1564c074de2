import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
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

/** Saves one entry, unless somebody else has saved since. */
export function useSaveEntry({ id, name, config }: EntryProps) {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (value: unknown) =>
      api.PUT('/api/jobs/{id}/config/{key}', {
        params: { path: { id, key: name }, header: { 'If-Match': `"${config.version}"` } },
        body: { value },
      }),
    onSuccess(saved) {
      client.setQueryData(['job', id, 'config'], saved);
      void client.invalidateQueries({ queryKey: ['job', id, 'config-history'] });
    },
  });
}

interface SaveButtonProps {
  readonly action: { readonly isPending: boolean; readonly error: Error | null };
  readonly isChanged: boolean;
}

export function SaveButton({ action, isChanged }: SaveButtonProps): ReactNode {
  const { connectors, jobs } = useTexts();
  return (
    <>
      <FormProblem error={action.error} />
      <div className="form-buttons">
        <button type="submit" className="button" disabled={action.isPending || !isChanged}>
          {connectors.save}
        </button>
        <span className="field-hint">{jobs.futureRuns}</span>
      </div>
    </>
  );
}
