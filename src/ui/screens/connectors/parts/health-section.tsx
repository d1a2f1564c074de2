import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Filter } from '../../../frame/records/filter.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { Moment, When } from '../../../frame/records/moments.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { formatDuration, formatValue } from '../../../kit/format-value.ts';
import { useCatalogue, useTexts } from '../../../texts/texts-context.tsx';
import { CallBars } from './call-bars.tsx';
import { HealthBadge } from './health-badge.tsx';

type Health = components['schemas']['ConnectorHealth'];
const ranges = ['24h', '7d', '30d'] as const;
type Range = (typeof ranges)[number];
const refreshMs = 15_000;

/** Whether a connector works, since when, what its last error was, and its calls over time. */
export function HealthSection({ id }: { readonly id: number }): ReactNode {
  const api = useApi();
  const { health } = useTexts().connectors;
  const [range, setRange] = useState<Range>('24h');
  const query = useQuery({
    queryKey: ['connector', id, 'health', range],
    queryFn: ({ signal }) =>
      api.GET('/api/connectors/{id}/health', { params: { path: { id }, query: { range } }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  return (
    <section className="panel" aria-label={health.title}>
      <Loaded query={query}>
        {(found) =>
          found.status === 'unknown' ? (
            <EmptyState>{health.none}</EmptyState>
          ) : (
            <>
              <State health={found} />
              <form className="filters" onSubmit={(event) => event.preventDefault()}>
                <Filter
                  label={health.range}
                  any={null}
                  options={ranges.map((one) => [one, health.ranges[one]])}
                  value={range}
                  onChange={(value) => setRange(ranges.find((one) => one === value) ?? '24h')}
                />
              </form>
              <Calls health={found} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function State({
  health: { status, since, last_success_at, last_error, last_test },
}: {
  readonly health: Health;
}): ReactNode {
  const { health } = useTexts().connectors;
  return (
    <dl className="health-facts">
      <dt>{health.status}</dt>
      <dd>
        <HealthBadge status={status} />
        {since !== null && (
          <>
            {' '}
            {health.since} <Moment at={since} />
          </>
        )}
      </dd>
      <dt>{health.lastSuccess}</dt>
      <dd>
        <When at={last_success_at} />
      </dd>
      <dt>{health.lastError}</dt>
      <dd>{last_error === null ? health.noError : <LastError error={last_error} />}</dd>
      {last_test !== null && (
        <>
          <dt>{health.lastTest}</dt>
          <dd>
            <When at={last_test.at} />
            <p>{last_test.message}</p>
          </dd>
        </>
      )}
    </dl>
  );
}

function LastError({ error }: { readonly error: NonNullable<Health['last_error']> }): ReactNode {
  const { health } = useTexts().connectors;
  return (
    <>
      <When at={error.at} />
      {error.run_id !== null && (
        <>
          {' · '}
          <Link to="/runs/$id" params={{ id: String(error.run_id) }}>
            {health.run(error.run_id)}
          </Link>
        </>
      )}
      <p>
        {error.code}: {error.message}
      </p>
    </>
  );
}

function Calls({ health: { totals, sources, buckets } }: { readonly health: Health }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { health } = texts.connectors;
  const number = (value: number) => formatValue(value, 'integer', { locale });
  const used = (Object.keys(sources) as (keyof typeof sources)[]).filter((name) => sources[name].calls > 0);
  if (used.length === 0) return <EmptyState>{health.noCalls}</EmptyState>;
  return (
    <>
      <dl className="figures">
        {(['calls', 'errors'] as const).map((name) => (
          <div key={name}>
            <dt>{health[name]}</dt>
            <dd>{number(totals[name])}</dd>
          </div>
        ))}
      </dl>
      <CallBars buckets={buckets} label={health.chart(number(totals.calls), number(totals.errors))} />
      <table className="list run-list">
        <ListHead
          columns={[
            { label: health.source },
            { label: health.calls },
            { label: health.errors },
            { label: health.time },
          ]}
        />
        <tbody>
          {used.map((name) => (
            <tr key={name}>
              <td>{health.sources[name]}</td>
              <td>{number(sources[name].calls)}</td>
              <td>{number(sources[name].errors)}</td>
              <td>{formatDuration(sources[name].ms / 1_000, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
