import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDuration } from '../kit/format-value.ts';
import { Icon } from '../kit/icon.tsx';
import { useNow } from '../kit/use-now.ts';
import { useRefreshState } from './use-refresh-state.ts';

const tickMs = 1000;

/** The age of the data, and the refresh button. Trouble is also announced to screen readers, once. */
export function RefreshStatus(): ReactNode {
  const client = useQueryClient();
  const state = useRefreshState();
  const now = useNow(tickMs);
  const since = state.staleSince === null ? null : clock(state.staleSince);
  const trouble = since === null ? 'The server cannot be reached' : `Stale since ${since}`;
  return (
    <div className="refresh">
      <p className="refresh-text" data-failing={state.failing || undefined}>
        {state.failing ? (
          <>
            <Icon name="alert" size={14} /> {trouble}
            <span className="refresh-more"> · trying again</span>
          </>
        ) : (
          state.updatedAt !== null && (
            <>
              <span className="refresh-more">Updated </span>
              {age(now - state.updatedAt)}
            </>
          )
        )}
      </p>
      <p className="visually-hidden" role="status" aria-live="polite">
        {state.failing && `Refreshing failed. ${trouble}. Trying again.`}
      </p>
      <button
        type="button"
        className="icon-button"
        aria-label="Refresh"
        title="Refresh"
        data-busy={state.busy || undefined}
        onClick={() => void client.refetchQueries({ queryKey: ['widget'], type: 'active' })}
      >
        <Icon name="refresh" />
      </button>
    </div>
  );
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 3) return 'just now';
  return `${seconds < 60 ? `${seconds} s` : formatDuration(seconds - (seconds % 60)).replace(/ 00 s$/, '')} ago`;
}

function clock(at: number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(at);
}
