import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { ScriptSection } from '../../frame/forms/script-section.tsx';
import { LabelField } from '../../frame/labels/label-field.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { Filter, JobFilter } from '../../frame/records/filter.tsx';
import { Pages, usePages } from '../../frame/records/pages.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { LetterList } from './letter-list.tsx';
import {
  type LetterStatus,
  type LettersSearch,
  letterStatuses,
  lettersSearch,
  watchedRuns,
} from './letter-searches.ts';
import { ReasonSection, reasonsKey } from './reason-section.tsx';
import { ReplayWatch } from './replay-watch.tsx';

const route = getRouteApi('/signed-in/dead-letters');
const lettersKey = ['dead-letters'];

/** Rows that steps refused, of one run, of one job or of all: read, corrected, replayed and discarded. */
export function LettersScreen(): ReactNode {
  const { letters } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: lettersKey });
    void client.invalidateQueries({ queryKey: reasonsKey });
    // The home page counts them too.
    void client.invalidateQueries({ queryKey: ['overview'] });
  };
  const change = (next: LettersSearch) =>
    void navigate({ search: lettersSearch({ ...next }), replace: true, resetScroll: false });
  /** What was started is watched, also by whoever gets the link. */
  const onSettled = (runs: readonly number[]) => {
    refresh();
    const watch = watchedRuns([...watchedRuns(search.watch), ...runs].join(',')).join(',');
    if (runs.length > 0) change({ ...search, watch });
  };
  return (
    <Screen title={letters.title} above={<Scope search={search} />}>
      <div className="sections">
        {search.watch !== undefined && (
          <ReplayWatch
            ids={watchedRuns(search.watch)}
            onEnd={refresh}
            onClose={() => change(lettersSearch({ ...search, watch: '' }))}
          />
        )}
        <ReasonSection search={search} onSettled={onSettled} />
        <Letters search={search} onChange={change} onSettled={onSettled} />
      </div>
    </Screen>
  );
}

function Scope({ search: { run } }: { readonly search: LettersSearch }): ReactNode {
  const { letters } = useTexts();
  if (run === undefined) return null;
  return (
    <p className="screen-above">
      <Link to="/runs/$id" params={{ id: String(run) }}>
        {letters.ofRun(run)}
      </Link>
      {' · '}
      <Link to="/dead-letters">{letters.ofAll}</Link>
    </p>
  );
}

interface LettersProps {
  readonly search: LettersSearch;
  onChange(search: LettersSearch): void;
  onSettled(runs: readonly number[]): void;
}

function Letters({ search, onChange, onSettled }: LettersProps): ReactNode {
  const api = useApi();
  const { letters } = useTexts();
  const { job, run, code, label } = search;
  const status: LetterStatus | 'all' = search.status ?? 'open';
  const filters = useMemo(
    () => ({
      ...(job && { job_id: job }),
      ...(run && { run_id: run }),
      ...(code && { code }),
      ...(label && { label: [...label] }),
      ...(status !== 'all' && { status }),
    }),
    [job, run, code, label, status],
  );
  const query = usePages([...lettersKey, filters], (page, signal) =>
    api.GET('/api/dead-letters', {
      params: { query: { ...filters, ...page } },
      signal,
    }),
  );
  const isNarrowed = job !== undefined || run !== undefined || code !== undefined || label !== undefined;
  return (
    <section className="panel" aria-labelledby="letter-rows">
      <h2 id="letter-rows">{letters.rows}</h2>
      <LetterFilters search={search} onChange={onChange} />
      <Pages query={query} empty={isNarrowed || status !== 'open' ? letters.noMatches : letters.none}>
        {(records) => <LetterList letters={records} onSettled={onSettled} />}
      </Pages>
      <ScriptSection
        calls={[{ method: 'GET', path: '/api/dead-letters', query: filters, ...commandOf(search) }]}
      />
    </section>
  );
}

/** The command line lists those of one status, and does not filter by labels. */
function commandOf({ job, run, code, label, status }: LettersSearch) {
  if (label !== undefined || status === 'all') return {};
  return {
    command: [
      ...['dead-letters', 'list', '--status', status ?? 'open'],
      ...(job ? ['--job', String(job)] : []),
      ...(run ? ['--run', String(run)] : []),
      ...(code ? ['--code', code] : []),
    ],
  };
}

function LetterFilters({ search, onChange }: Omit<LettersProps, 'onSettled'>): ReactNode {
  const { jobs, letters, run, runs } = useTexts();
  const set = (key: keyof LettersSearch) => (value: string) =>
    onChange(lettersSearch({ ...search, [key]: value }));
  const statuses = [
    ...letterStatuses.map((status) => [status, run.letterStates[status]] as const),
    ['all', letters.allStates] as const,
  ];
  return (
    <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
      <Filter
        label={runs.status}
        any={null}
        options={statuses}
        value={search.status ?? 'open'}
        onChange={set('status')}
      />
      <JobFilter value={search.job} onChange={set('job')} />
      <LabelField
        place="filter"
        label={jobs.label}
        value={search.label ?? []}
        onChange={(label) => onChange(lettersSearch({ ...search, label }))}
      />
      {search.code !== undefined && (
        <Filter
          label={run.reason}
          options={[[search.code, search.code]]}
          value={search.code}
          onChange={set('code')}
        />
      )}
    </form>
  );
}
