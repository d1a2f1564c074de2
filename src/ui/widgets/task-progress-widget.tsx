import type { ReactNode } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatDuration, formatValue, momentOf } from '../kit/format-value.ts';
import { ProgressBar } from '../kit/progress-bar.tsx';
import { isActiveRun, type RunPayload } from '../kit/run-status.ts';
import { useNow } from '../kit/use-now.ts';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { objectOf, toneOf } from '../kit/widget/widget-config.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';
import { useWords } from '../texts/words-context.ts';

const tickMs = 1000;

/** The latest run of a task, updated while it is running: status, step, rows, speed, elapsed time. */
export function TaskProgressWidget({ data, title }: WidgetBodyProps): ReactNode {
  const words = useWords();
  const { run } = objectOf<{ run: RunPayload | null }>(data, 'a run');
  const active = isActiveRun(run);
  const now = useNow(active ? tickMs : null);
  if (!run) return <EmptyState>{words.run.none}</EmptyState>;
  const tone = toneOf(run.status);
  const { progress, items } = run;
  return (
    <div className="run">
      <div className="run-head">
        <span className="chip" data-tone={tone} data-live={active || undefined}>
          {statusWords(run.status, words)}
        </span>
        {run.id !== null && run.id !== undefined && (
          <span className="run-id">{words.run.number(String(run.id))}</span>
        )}
        <span className="run-elapsed">
          <span className="visually-hidden">{active ? words.run.runningFor : words.run.took}</span>
          {elapsed(run, now, words)}
        </span>
      </div>
      <ProgressBar label={title} ratio={progress?.ratio ?? (active ? null : 1)} tone={tone} />
      <dl className="run-facts">
        {active && <Fact term={words.run.step} value={progress?.step ?? words.run.waiting} />}
        <Fact term={words.run.rows} value={formatValue(progress?.rows ?? items?.out, 'integer')} />
        {active && <Fact term={words.run.rate} value={formatValue(progress?.rows_per_second, 'integer')} />}
        {!active && <Fact term={words.run.started} value={formatValue(run.started_at, 'datetime')} />}
        <Fact
          term={words.run.failed}
          value={formatValue(items?.failed, 'integer')}
          tone={items?.failed ? 'danger' : undefined}
        />
      </dl>
    </div>
  );
}

interface FactProps {
  readonly term: string;
  readonly value: string;
  readonly tone?: string | undefined;
}

function Fact({ term, value, tone }: FactProps): ReactNode {
  return (
    <div>
      <dt>{term}</dt>
      <dd data-tone={tone}>{value}</dd>
    </div>
  );
}

function statusWords(name: string, { status }: WidgetWords): string {
  const text = status(name);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Whole seconds while it is running: tenths would flicker. Never negative, even if the browser's clock is behind the server's. */
function elapsed(run: RunPayload, now: number, words: WidgetWords): string {
  const start = momentOf(run.started_at);
  if (start === null) return words.run.notStarted;
  const end = momentOf(run.ended_at);
  const seconds = Math.max(0, ((end ?? now) - start) / 1000);
  return formatDuration(end === null ? Math.floor(seconds) : seconds);
}
