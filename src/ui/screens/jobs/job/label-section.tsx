import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { components } from '../../../../client/openapi-types.ts';
import { ConflictChoice } from '../../../frame/forms/conflict-choice.tsx';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { LabelChips } from '../../../frame/labels/label-chips.tsx';
import { LabelField } from '../../../frame/labels/label-field.tsx';
import { labelsFrom, textsOf } from '../../../frame/labels/label-text.ts';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type JobDetail = components['schemas']['JobDetail'];

/** The labels of a job. Those who may change them: each change is saved at once, unless somebody else has changed the job since. */
export function LabelSection({ job }: { readonly job: JobDetail }): ReactNode {
  const { jobs } = useTexts();
  const may = useMay('editor');
  if (!may && Object.keys(job.labels).length === 0) return null;
  return (
    <section className="panel" aria-labelledby="job-labels">
      <h2 id="job-labels">{jobs.labels}</h2>
      {may ? <LabelEditor job={job} /> : <LabelChips labels={job.labels} to="/jobs" />}
    </section>
  );
}

function LabelEditor({ job }: { readonly job: JobDetail }): ReactNode {
  const { jobs, editor } = useTexts();
  const client = useQueryClient();
  // What was asked for and is not saved: it stays where saving fails.
  const [mine, setMine] = useState<readonly string[] | null>(null);
  const action = useSaveLabels(job, () => setMine(null));
  const isOutdated = action.error instanceof ApiError && action.error.status === 412;
  const save = (texts: readonly string[]) => {
    setMine(texts);
    action.mutate(texts);
  };
  return (
    <>
      <LabelField
        place="field"
        label={jobs.newLabel}
        hint={jobs.labelsHint}
        value={mine ?? textsOf(job.labels)}
        onChange={save}
      />
      {isOutdated && mine !== null ? (
        <div role="alert" className="failure-note">
          <h3>{editor.conflict}</h3>
          <p>{jobs.labelsTheirs(textsOf(job.labels).join(', ') || jobs.noLabels)}</p>
          <p>{jobs.labelsMine(mine.join(', ') || jobs.noLabels)}</p>
          <ConflictChoice
            onKeep={() => save(mine)}
            onTake={() => {
              setMine(null);
              action.reset();
              void client.invalidateQueries({ queryKey: ['job', job.id], exact: true });
            }}
          />
        </div>
      ) : (
        <FormProblem error={action.error} />
      )}
    </>
  );
}

function useSaveLabels(job: JobDetail, onSaved: () => void) {
  const api = useApi();
  const client = useQueryClient();
  const { id, name, description, connector_mapping, version } = job;
  return useMutation({
    mutationFn: (texts: readonly string[]) =>
      api.PUT('/api/jobs/{id}', {
        params: { path: { id }, header: { 'If-Match': `"${version}"` } },
        body: { name, description, connector_mapping, labels: labelsFrom(texts) },
      }),
    onSuccess(saved) {
      client.setQueryData(['job', id], saved);
      void client.invalidateQueries({ queryKey: ['jobs'] });
      onSaved();
    },
    onError: () => client.invalidateQueries({ queryKey: ['job', id], exact: true }),
  });
}
