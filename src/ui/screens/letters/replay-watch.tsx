import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Elapsed } from '../../frame/records/moments.tsx';
import { StatusBadge } from '../../frame/records/status-badge.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { Icon } from '../../kit/icon.tsx';
import { isActiveRun } from '../../kit/run-status.ts';
import { useTexts } from '../../texts/texts-context.tsx';

const refreshMs = 1_000;

interface ReplayWatchProps {
  readonly ids: readonly number[];
  /** Called when one of the runs ends. */
  onEnd(): void;
  onClose(): void;
}

/** The runs of replays until they end, with what became of the rows. */
export function ReplayWatch({ ids, onEnd, onClose }: ReplayWatchProps): ReactNode {
  const { letters, frame } = useTexts();
  return (
    <section className="panel" aria-labelledby="letter-replays">
      <div className="panel-head">
        <h2 id="letter-replays">{letters.replays}</h2>
        <button type="button" className="icon-button" aria-label={frame.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <ul className="replays">
        {ids.map((id) => (
          <WatchedReplay key={id} id={id} onEnd={onEnd} />
        ))}
      </ul>
    </section>
  );
}

function WatchedReplay({ id, onEnd }: { readonly id: number; onEnd(): void }): ReactNode {
  const api = useApi();
  const query = useQuery({
    queryKey: ['run', id],
    queryFn: ({ signal }) => api.GET('/api/runs/{id}', { params: { path: { id } }, signal }),
    refetchInterval: ({ state }) => (isActiveRun(state.data) ? refreshMs : false),
  });
  const ended = query.data !== undefined && !isActiveRun(query.data);
  const tell = useRef(onEnd);
  tell.current = onEnd;
  useEffect(() => {
    if (ended) tell.current();
  }, [ended]);
  return (
    <li>
      <Loaded query={query} lines={1}>
        {(run) => (
          <>
            <Replay run={run} />
            {(run.status === 'success' || run.status === 'warning') && run.rerun_of !== null && (
              <Unwritten origin={run.rerun_of} />
            )}
          </>
        )}
      </Loaded>
    </li>
  );
}

/** A replay writes only its rows: of a run that failed, the others are still missing. */
function Unwritten({ origin }: { readonly origin: number }): ReactNode {
  const api = useApi();
  const { letters } = useTexts();
  const { data } = useQuery({
    queryKey: ['run', origin],
    queryFn: ({ signal }) => api.GET('/api/runs/{id}', { params: { path: { id: origin } }, signal }),
  });
  if (data?.status !== 'error') return null;
  return (
    <p className="replay-rest">
      {letters.othersUnwritten}{' '}
      <Link to="/runs/$id" params={{ id: String(origin) }}>
        {letters.ofRun(origin)}
      </Link>
    </p>
  );
}

function Replay({ run }: { readonly run: components['schemas']['RunDetail'] }): ReactNode {
  const { letters, run: texts } = useTexts();
  const { id, status, replay, items, error, task_key, task_name } = run;
  const rows = replay?.letters ?? 0;
  const again = Math.min(items.failed, rows);
  return (
    <>
      <span role="status">
        <StatusBadge status={status} />
      </span>
      <Link to="/runs/$id" params={{ id: String(id) }} className="record-link">
        {texts.replayRun(id)}{' '}
        <span className="record-id">{[task_key ?? task_name, replay?.step_id].join(' · ')}</span>
      </Link>
      <span className="replay-outcome" data-tone={again > 0 || error !== null ? 'danger' : undefined}>
        {isActiveRun(run) && letters.replaying(rows)}
        {!isActiveRun(run) && error !== null && `${letters.replayFailed} ${error.message}`}
        {!isActiveRun(run) && error === null && letters.replayEnded(rows - again, again)}
      </span>
      {!isActiveRun(run) && again > 0 && (
        <Link to="/dead-letters" search={{ run: id }}>
          {letters.correctAgain(again)}
        </Link>
      )}
      <span className="record-id">
        <Elapsed from={run.started_at} to={run.ended_at} />
      </span>
    </>
  );
}
