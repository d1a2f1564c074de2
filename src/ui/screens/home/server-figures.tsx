import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { formatDuration, formatValue } from '../../kit/format-value.ts';
import { useCatalogue } from '../../texts/texts-context.tsx';

type Overview = components['schemas']['Overview'];

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly tone?: 'warning' | 'danger' | undefined;
}

function Figure({ label, value, tone }: FigureProps): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-tone={tone}>{value}</dd>
    </div>
  );
}

/** What waits for an executor, and for how long. */
export function QueueFigures({ queue }: { readonly queue: Overview['queue'] }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { home } = texts;
  const number = (value: number) => formatValue(value, 'integer', { locale });
  return (
    <dl className="figures">
      <Figure
        label={home.ready}
        value={
          <Link to="/runs" search={{ kind: 'tasks', status: 'queued' }}>
            {number(queue.ready)}
          </Link>
        }
      />
      <Figure label={home.delayed} value={number(queue.delayed)} />
      <Figure
        label={home.busy}
        value={
          <Link to="/runs" search={{ kind: 'tasks', status: 'running' }}>
            {number(queue.running)}
          </Link>
        }
      />
      <Figure label={home.oldest} value={formatDuration(queue.oldest_ready_ms / 1_000, locale)} />
    </dl>
  );
}

export function ExecutorFigures({ executors }: { readonly executors: Overview['executors'] }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { home } = texts;
  const number = (value: number) => formatValue(value, 'integer', { locale });
  const { online, draining, lost } = executors;
  return (
    <>
      <dl className="figures">
        <Figure label={home.online} value={number(online)} tone={online === 0 ? 'danger' : undefined} />
        <Figure label={home.draining} value={number(draining)} />
        <Figure label={home.lost} value={number(lost)} tone={lost > 0 ? 'warning' : undefined} />
      </dl>
      {online === 0 && <p className="field-hint">{home.noExecutor}</p>}
    </>
  );
}
