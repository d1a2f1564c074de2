import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createPatch } from 'diff';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { DiffText } from '../../../frame/records/diff-text.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type Version = components['schemas']['JobConfigVersion'];

interface ConfigHistoryProps {
  readonly id: number;
  readonly config: components['schemas']['JobConfig'];
}

/** The versions of a configuration, newest first, each with what it changed. */
export function ConfigHistory({ id, config }: ConfigHistoryProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs } = useTexts();
  const query = usePages(
    ['job', id, 'config-history'],
    (page, signal) =>
      api.GET('/api/jobs/{id}/config/history', {
        params: { path: { id }, query: page },
        signal,
      }),
    { isLive: false },
  );
  const restore = useMutation({
    mutationFn: (values: Version['values']) =>
      api.PUT('/api/jobs/{id}/config', {
        params: { path: { id }, header: { 'If-Match': `"${config.version}"` } },
        body: values,
      }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['job', id] }),
  });
  return (
    <section className="panel" aria-labelledby="config-history">
      <h2 id="config-history">{jobs.history}</h2>
      <FormProblem error={restore.error} />
      <Pages query={query} empty={jobs.noHistory}>
        {(versions) => (
          <ol className="versions">
            {versions.map((version, index) => (
              <VersionEntry
                key={version.version}
                version={version}
                before={versions[index + 1]}
                isCurrent={version.version === config.version}
                busy={restore.isPending}
                onRestore={() => restore.mutate(version.values)}
              />
            ))}
          </ol>
        )}
      </Pages>
    </section>
  );
}

interface VersionEntryProps {
  readonly version: Version;
  readonly before: Version | undefined;
  readonly isCurrent: boolean;
  readonly busy: boolean;
  onRestore(): void;
}

function VersionEntry({ version, before, isCurrent, busy, onRestore }: VersionEntryProps): ReactNode {
  const { jobs } = useTexts();
  const may = useMay('operator');
  const diff = before === undefined ? null : diffOf(before.values, version.values);
  return (
    <li>
      <div className="panel-head">
        <span>
          {jobs.version(version.version)} <span className="record-id">{version.created_by}</span>{' '}
          <span className="record-id">
            <When at={version.created_at} />
          </span>
        </span>
        {may && !isCurrent && (
          <button
            type="button"
            className="text-button"
            disabled={busy}
            aria-label={`${jobs.restore}: ${version.version}`}
            onClick={onRestore}
          >
            {jobs.restore}
          </button>
        )}
      </div>
      {diff !== null && <DiffText label={jobs.version(version.version)} diff={diff} />}
    </li>
  );
}

/** The changed lines of the values as JSON, without the heads of a patch. */
function diffOf(before: unknown, after: unknown): string {
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const patch = createPatch('', text(before), text(after), undefined, undefined, { context: 2 });
  return patch.split('\n').slice(4).join('\n');
}
