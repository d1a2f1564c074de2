import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { DiffText } from '../../../frame/records/diff-text.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, pages } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Task } from '../tasks-screen.tsx';

type Version = components['schemas']['DefinitionVersion'];

/** Every version of a task, newest first: who saved it, what it changed, and a way back to it. */
export function VersionsSection({ task }: { readonly task: Task }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { tasks } = useTexts();
  const { id } = task;
  const query = useInfiniteQuery({
    ...pages,
    refetchInterval: false as const,
    queryKey: ['task', id, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      api.GET('/api/tasks/{id}/versions', {
        params: { path: { id }, query: pageParam === undefined ? {} : { cursor: pageParam } },
        signal,
      }),
  });
  const restore = useMutation({
    mutationFn: (version: number) =>
      api.POST('/api/tasks/{id}/versions/{version}/restore', {
        params: { path: { id, version }, header: { 'If-Match': `"${task.version}"` } },
      }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['task', id] }),
  });
  return (
    <section className="panel" aria-label={tasks.views.versions}>
      <FormProblem error={restore.error} />
      <Pages query={query} empty={tasks.noVersions}>
        {(versions) => (
          <ol className="versions">
            {versions.map((version) => (
              <VersionEntry
                key={version.version}
                task={task}
                version={version}
                busy={restore.isPending}
                onRestore={() => restore.mutate(version.version)}
              />
            ))}
          </ol>
        )}
      </Pages>
    </section>
  );
}

interface VersionEntryProps {
  readonly task: Task;
  readonly version: Version;
  readonly busy: boolean;
  onRestore(): void;
}

function VersionEntry({ task, version, busy, onRestore }: VersionEntryProps): ReactNode {
  const { jobs, tasks } = useTexts();
  const may = useMay('editor');
  const number = version.version;
  const isCurrent = number === task.version;
  const [isOpen, setOpen] = useState(isCurrent);
  return (
    <li>
      <div className="panel-head">
        <span>
          {jobs.version(number)} <span className="record-id">{version.created_by}</span>{' '}
          <span className="record-id">
            <When at={version.created_at} />
          </span>
        </span>
        <span>
          <button
            type="button"
            className="text-button"
            aria-expanded={isOpen}
            aria-label={`${tasks.changes}: ${number}`}
            onClick={() => setOpen(!isOpen)}
          >
            {tasks.changes}
          </button>
          {may && !isCurrent && (
            <button
              type="button"
              className="text-button"
              disabled={busy}
              aria-label={`${jobs.restore}: ${number}`}
              onClick={onRestore}
            >
              {jobs.restore}
            </button>
          )}
        </span>
      </div>
      {isOpen && <VersionDiff id={task.id} version={number} />}
    </li>
  );
}

function VersionDiff({ id, version }: { readonly id: number; readonly version: number }): ReactNode {
  const api = useApi();
  const { jobs, tasks } = useTexts();
  const diff = useQuery({
    queryKey: ['task-diff', id, version],
    queryFn: ({ signal }) =>
      api.GET('/api/tasks/{id}/versions/{version}/diff', { params: { path: { id, version } }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={diff}>
      {({ diff: text }) =>
        text === '' ? (
          <EmptyState>{tasks.noChanges}</EmptyState>
        ) : (
          <DiffText label={jobs.version(version)} diff={text} />
        )
      }
    </Loaded>
  );
}
