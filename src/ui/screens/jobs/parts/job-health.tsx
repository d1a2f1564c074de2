import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { formatDuration, formatValue } from '../../../kit/format-value.ts';
import { toneOf } from '../../../kit/widget/widget-config.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';

export type JobHealth = components['schemas']['JobHealth'];

const refreshMs = 5_000;
const jobsMax = 200;

/** How these jobs are doing, by their ids; of very long lists the first 200. */
export function useJobHealth(ids: readonly number[]): ReadonlyMap<number, JobHealth> {
  const api = useApi();
  const asked = ids.slice(0, jobsMax).join(',');
  const { data } = useQuery({
    queryKey: ['job-health', asked],
    queryFn: ({ signal }) => api.GET('/api/jobs/health', { params: { query: { ids: asked } }, signal }),
    enabled: ids.length > 0,
    refetchInterval: refreshMs,
    placeholderData: (before) => before,
  });
  return new Map(data?.result.map((health) => [health.job_id, health]));
}

/** Of the recent runs, how many ended well. */
export function Rate({ health }: { readonly health: JobHealth }): ReactNode {
  const { locale } = useCatalogue();
  return formatValue(health.success_rate, 'percent', { locale });
}

/** The recent runs, oldest first: a bar each, as high as it took long beside the others, in the colour of its end. */
export function RecentRuns({ health: { recent } }: { readonly health: JobHealth }): ReactNode {
  const { texts, locale } = useCatalogue();
  if (recent.length === 0) return null;
  const runs = [...recent].reverse();
  const longest = Math.max(1, ...runs.map(({ duration_ms }) => duration_ms ?? 0));
  const width = 7;
  const height = 24;
  const least = 4;
  const statuses = texts.runs.statuses as Readonly<Record<string, string>>;
  const words = runs.map(({ status }) => statuses[status] ?? status).join(', ');
  return (
    <svg
      className="recent-runs"
      width={runs.length * width}
      height={height}
      role="img"
      aria-label={`${texts.jobs.recent}: ${words}`}
    >
      {runs.map(({ id, status, duration_ms }, index) => {
        const own = least + ((height - least) * (duration_ms ?? 0)) / longest;
        const took = duration_ms === null ? '' : ` · ${formatDuration(duration_ms / 1_000, locale)}`;
        return (
          <rect
            key={id}
            data-tone={toneOf(status)}
            x={index * width}
            y={height - own}
            width={width - 2}
            height={own}
            rx="1"
          >
            <title>{`${id} · ${statuses[status] ?? status}${took}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
