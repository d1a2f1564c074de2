import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { DefinitionEditor } from '../../../frame/definitions/definition-editor.tsx';
import { diffOf } from '../../../frame/definitions/text-diff.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { DiffText } from '../../../frame/records/diff-text.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type OverrideText, overrideKind } from './override-kind.ts';

interface OverrideEditorProps {
  readonly job: components['schemas']['JobDetail'];
  /** Of the task in the job's template. */
  readonly taskKey: string;
}

/** The text of one task for this job alone, with what it changes, and the way back to the version that the job pins. */
export function OverrideEditor({ job, taskKey }: OverrideEditorProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { overrides } = useTexts().jobs;
  const kind = useMemo(() => overrideKind(api, taskKey), [api, taskKey]);
  const save = useMemo(
    () => ({
      ...kind,
      update: async (...written: Parameters<typeof kind.update>) => {
        const saved = await kind.update(...written);
        // The job's own version has become greater, and its tasks say which are replaced.
        void client.invalidateQueries({ queryKey: ['job', job.id] });
        return saved;
      },
    }),
    [kind, client, job.id],
  );
  const query = useQuery({
    queryKey: [kind.noun, job.id],
    queryFn: ({ signal }) => kind.read(job.id, signal),
  });
  return (
    <Loaded query={query}>
      {(saved) => (
        <div className="stack">
          <p className="field-hint">{overrides.hint}</p>
          <DefinitionEditor
            kind={save}
            saved={saved}
            label={overrides.label(taskKey)}
            connectors={job.connector_mapping}
            beside={({ text }) => <Changes saved={saved} text={text} />}
          />
          {saved.isOverridden && <RemoveButton saved={saved} />}
        </div>
      )}
    </Loaded>
  );
}

function Changes({ saved, text }: { readonly saved: OverrideText; readonly text: string }): ReactNode {
  const { overrides } = useTexts().jobs;
  const diff = diffOf(saved.pinned, text);
  return (
    <>
      <h3>{overrides.changes}</h3>
      {diff === '' ? (
        <p className="field-hint">{overrides.unchanged}</p>
      ) : (
        <DiffText label={overrides.changes} diff={diff} />
      )}
    </>
  );
}

function RemoveButton({ saved }: { readonly saved: OverrideText }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs, frame } = useTexts();
  const { overrides } = jobs;
  const [isAsked, setAsked] = useState(false);
  const { id, name: key, version } = saved;
  const remove = useMutation({
    mutationFn: () =>
      api.DELETE('/api/jobs/{id}/tasks/{key}/override', {
        params: { path: { id, key }, header: { 'If-Match': `"${version}"` } },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ['job', id] }),
    onSuccess() {
      setAsked(false);
      return client.invalidateQueries({ queryKey: [`override-${key}`, id] });
    },
  });
  return (
    <div className="form-buttons">
      <button type="button" className="button" data-style="secondary" onClick={() => setAsked(true)}>
        {overrides.remove}
      </button>
      <FormProblem error={isAsked ? null : remove.error} />
      {isAsked && (
        <ConfirmDialog
          title={overrides.removeTitle(key)}
          confirm={overrides.remove}
          dismiss={frame.cancel}
          danger
          action={remove}
          onClose={() => setAsked(false)}
        >
          <p className="dialog-question">{overrides.removeHint}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
