import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { formatDuration, formatValue, noValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';

type RunPart = components['schemas']['RunPart'];

const refreshMs = 3_000;

interface PartSectionProps {
  readonly runId: number;
  readonly active: boolean;
}

/** The parts of a divided extract, and who works on each; nothing for a run without any. */
export function PartSection({ runId, active }: PartSectionProps): ReactNode {
  const api = useApi();
  const { texts, locale } = useCatalogue();
  const { run } = texts;
  const { data: parts = [] } = useQuery({
    queryKey: ['run', runId, 'parts'],
    queryFn: ({ signal }) => api.GET('/api/runs/{id}/parts', { params: { path: { id: runId } }, signal }),
    select: ({ result }) => result,
    refetchInterval: active ? refreshMs : false,
  });
  if (parts.length === 0) return null;
  const staged = parts.filter(({ state }) => state === 'staged').length;
  return (
    <section className="panel" aria-labelledby="run-parts">
      <h2 id="run-parts">{run.parts}</h2>
      <p className="record-facts">{run.staged(staged, parts.length)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="scroller" aria-label={run.parts} tabIndex={0}>
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{run.part}</th>
              <th scope="col">{texts.runs.status}</th>
              <th scope="col">{run.executor}</th>
              <th scope="col" data-align="right">
                {run.rowsOut}
              </th>
              <th scope="col" data-align="right">
                {run.time}
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <PartRow key={`${part.step_id}/${part.number}`} part={part} runId={runId} locale={locale} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

const tones = { open: 'neutral', taken: 'info', staged: 'success', failed: 'danger' } as const;

function PartRow({
  part,
  runId,
  locale,
}: {
  readonly part: RunPart;
  readonly runId: number;
  readonly locale: string;
}): ReactNode {
  const { run } = useCatalogue().texts;
  const { started_at, ended_at } = part;
  const seconds =
    started_at === null || ended_at === null ? null : (Date.parse(ended_at) - Date.parse(started_at)) / 1_000;
  return (
    <tr>
      <th scope="row">
        {part.number} <span className="record-id">{part.label}</span>
        {part.attempts > 1 && (
          <span className="record-id">
            {' '}
            · {run.attempts}: {part.attempts}
          </span>
        )}
        {part.error !== null && <p className="record-error">{part.error}</p>}
      </th>
      <td>
        <span className="status" data-tone={tones[part.state]}>
          {wordOf(run.partStates, part.state)}
        </span>
      </td>
      <td>
        {part.executor ?? noValue}
        {part.run_id !== null && part.run_id !== runId && (
          <>
            {' · '}
            <Link to="/runs/$id" params={{ id: String(part.run_id) }}>
              {run.replayRun(part.run_id)}
            </Link>
          </>
        )}
      </td>
      <td data-align="right">
        {part.state === 'staged' ? formatValue(part.rows, 'integer', { locale }) : noValue}
      </td>
      <td data-align="right">{seconds === null ? noValue : formatDuration(seconds, locale)}</td>
    </tr>
  );
}
