import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Elapsed } from '../../../frame/records/moments.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { formatDuration } from '../../../kit/format-value.ts';
import { useNow } from '../../../kit/use-now.ts';
import { toneOf } from '../../../kit/widget/widget-config.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import type { TaskState } from './task-states.ts';
import { type TimelineBar, timelineOf } from './timeline.ts';

const marks = [0, 0.25, 0.5, 0.75, 1] as const;
const tickMs = 1_000;

interface TaskTimelineProps {
  readonly tasks: readonly TaskState[];
  readonly active: boolean;
}

/** When each task waited and ran, one above the other. */
export function TaskTimeline({ tasks, active }: TaskTimelineProps): ReactNode {
  const { texts, locale } = useCatalogue();
  const now = useNow(active ? tickMs : null);
  const { bars, seconds } = timelineOf(tasks, now);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="scroller" aria-label={texts.run.timelineLabel} tabIndex={0}>
      <div className="timeline">
        <div className="timeline-axis" aria-hidden="true">
          {marks.map((mark) => (
            <span key={mark}>{formatDuration(seconds * mark, locale)}</span>
          ))}
        </div>
        <ul>
          {bars.map((bar) => (
            <TimelineRow key={bar.task.key} bar={bar} />
          ))}
        </ul>
      </div>
    </section>
  );
}

const percent = (share: number) => `${share * 100}%`;

function TimelineRow({ bar: { task, queued, started, ended } }: { readonly bar: TimelineBar }): ReactNode {
  const id = task.run?.id ?? task.reusedRunId;
  const begun = started ?? ended;
  return (
    <li>
      <span className="timeline-name">
        {id === null ? (
          task.key
        ) : (
          <Link to="/runs/$id" params={{ id: String(id) }}>
            {task.key}
          </Link>
        )}
      </span>
      <span className="timeline-track">
        {queued !== null && (
          <span className="timeline-wait" style={{ left: percent(queued), width: percent(begun - queued) }} />
        )}
        {started !== null && (
          <span
            className="timeline-bar"
            data-tone={toneOf(task.status)}
            style={{ left: percent(started), width: percent(ended - started) }}
          />
        )}
      </span>
      <span className="timeline-state">
        <StatusBadge status={task.status} />
        {task.run?.started_at && <Elapsed from={task.run.started_at} to={task.run.ended_at} />}
      </span>
    </li>
  );
}
