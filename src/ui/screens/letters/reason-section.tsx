import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { When } from '../../frame/records/moments.tsx';
import { useMay } from '../../frame/session/role.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatValue } from '../../kit/format-value.ts';
import { useCatalogue } from '../../texts/texts-context.tsx';
import type { LettersSearch } from './letter-searches.ts';
import { MALFORMED_RECORD } from './row-edit.ts';
import type { Owner } from './settle.ts';
import { type SettleAsked, SettleDialog } from './settle-dialog.tsx';

type Reason = components['schemas']['DeadLetterReason'];

export const reasonsKey = ['dead-letter-reasons'];
const refreshMs = 5_000;
const placeholderLines = 3;

interface ReasonSectionProps {
  readonly search: LettersSearch;
  onSettled(runs: readonly number[]): void;
}

/** Why rows are open dead letters; all of one reason are replayed or discarded together. */
export function ReasonSection({ search, onSettled }: ReasonSectionProps): ReactNode {
  const api = useApi();
  const { letters } = useCatalogue().texts;
  const { job, run, label } = search;
  const reasons = useQuery({
    queryKey: [...reasonsKey, job, run, label],
    queryFn: ({ signal }) =>
      api.GET('/api/dead-letters/reasons', {
        params: {
          query: {
            ...(job && { job_id: job }),
            ...(run && { run_id: run }),
            ...(label && { label: [...label] }),
          },
        },
        signal,
      }),
    refetchInterval: refreshMs,
  });
  return (
    <section className="panel" aria-labelledby="letter-reasons">
      <h2 id="letter-reasons">{letters.reasons}</h2>
      <Loaded query={reasons} lines={placeholderLines}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState>{letters.noReasons}</EmptyState>
          ) : (
            <ul className="reasons">
              {result.map((reason) => (
                <ReasonEntry
                  key={`${reason.job_id} ${reason.run_id} ${reason.code}`}
                  reason={reason}
                  search={search}
                  onSettled={onSettled}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

interface ReasonEntryProps extends ReasonSectionProps {
  readonly reason: Reason;
}

function ReasonEntry({ reason, search, onSettled }: ReasonEntryProps): ReactNode {
  const { texts, locale } = useCatalogue();
  const { letters } = texts;
  const may = useMay('operator');
  const [asked, setAsked] = useState<SettleAsked | null>(null);
  const { job_id, job_name, run_id, code, open, message, newest_at } = reason;
  const owner = ownerOf(reason, search);
  const name = job_name ?? (run_id === null ? '' : letters.ofRun(run_id));
  const narrowed = {
    ...search,
    code,
    ...(job_id !== null && { job: job_id }),
    ...(run_id !== null && { run: run_id }),
  };
  const ask = (way: SettleAsked['way']) =>
    setAsked({ way, settlements: [{ owner, code }], rows: open, corrected: 0 });
  return (
    <li data-chosen={search.code === code || undefined}>
      <span className="reason-count">{formatValue(open, 'integer', { locale })}</span>
      <div className="reason-text">
        <Link to="/dead-letters" search={narrowed} resetScroll={false} className="record-link">
          {message}
        </Link>
        <p className="record-facts">
          {[code, name, open > 1 && letters.newestOf(open)].filter(Boolean).join(' · ')} ·{' '}
          <When at={newest_at} />
        </p>
      </div>
      {may && (
        <div className="reason-actions">
          {code !== MALFORMED_RECORD && (
            <button
              type="button"
              className="button"
              data-style="secondary"
              aria-label={`${letters.replayAll}: ${code}, ${name}`}
              onClick={() => ask('replay')}
            >
              {letters.replayAll}
            </button>
          )}
          <button
            type="button"
            className="text-button"
            aria-label={`${letters.discardAll}: ${code}, ${name}`}
            onClick={() => ask('discard')}
          >
            {letters.discardAll}
          </button>
        </div>
      )}
      {asked !== null && <SettleDialog asked={asked} onSettled={onSettled} onClose={() => setAsked(null)} />}
    </li>
  );
}

/** What is looked at bounds what is settled: of one run, only its own. */
function ownerOf({ job_id, run_id }: Reason, search: LettersSearch): Owner {
  if (search.run !== undefined) return { run: search.run };
  return job_id === null ? { run: run_id ?? 0 } : { job: job_id };
}
