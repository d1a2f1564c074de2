import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { FormProblem } from '../forms/form-problem.tsx';
import { Loaded } from '../layout/loaded.tsx';
import { DiffText } from '../records/diff-text.tsx';
import { When } from '../records/moments.tsx';
import { Pages, usePages } from '../records/pages.tsx';
import { useMay } from '../session/role.ts';
import type { Definition, DefinitionKind, DefinitionVersions, VersionPages } from './definition-kind.ts';

type Version = VersionPages['pages'][number]['result'][number];

interface VersionsSectionProps {
  readonly noun: DefinitionKind<Definition>['noun'];
  readonly versions: DefinitionVersions;
  readonly saved: Pick<Definition, 'id' | 'version'>;
}

/** Every version, newest first: who saved it, what it changed, and a way back to it. */
export function VersionsSection({ noun, versions, saved }: VersionsSectionProps): ReactNode {
  const client = useQueryClient();
  const { tasks } = useTexts();
  const { id } = saved;
  const query = usePages([noun, id, 'versions'], (page, signal) => versions.list(id, page, signal), {
    isLive: false,
  });
  const restore = useMutation({
    mutationFn: (version: number) => versions.restore(id, version, saved.version),
    onSuccess: () => void client.invalidateQueries({ queryKey: [noun, id] }),
  });
  return (
    <section className="panel" aria-label={tasks.views.versions}>
      <FormProblem error={restore.error} />
      <Pages query={query} empty={tasks.noVersions}>
        {(known) => (
          <ol className="versions">
            {known.map((version) => (
              <VersionEntry
                key={version.version}
                noun={noun}
                versions={versions}
                saved={saved}
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

interface VersionEntryProps extends VersionsSectionProps {
  readonly version: Version;
  readonly busy: boolean;
  onRestore(): void;
}

function VersionEntry(props: VersionEntryProps): ReactNode {
  const { noun, versions, saved, version, busy, onRestore } = props;
  const { jobs, tasks } = useTexts();
  const may = useMay('editor');
  const number = version.version;
  const isCurrent = number === saved.version;
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
      {isOpen && <VersionDiff noun={noun} versions={versions} id={saved.id} version={number} />}
    </li>
  );
}

interface VersionDiffProps extends Omit<VersionsSectionProps, 'saved'> {
  readonly id: number;
  readonly version: number;
}

function VersionDiff({ noun, versions, id, version }: VersionDiffProps): ReactNode {
  const { jobs, tasks } = useTexts();
  const diff = useQuery({
    queryKey: [`${noun}-diff`, id, version],
    queryFn: ({ signal }) => versions.diff(id, version, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={diff}>
      {(text) =>
        text === '' ? (
          <EmptyState>{tasks.noChanges}</EmptyState>
        ) : (
          <DiffText label={jobs.version(version)} diff={text} />
        )
      }
    </Loaded>
  );
}
