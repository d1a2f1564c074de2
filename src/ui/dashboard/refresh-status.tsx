import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDuration } from '../kit/format-value.ts';
import { Icon } from '../kit/icon.tsx';
import { pageLocale } from '../kit/page-locale.ts';
import { useNow } from '../kit/use-now.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';
import { useWords } from '../texts/words-context.ts';
import { printDashboard } from './use-printing.ts';
import { useRefreshState } from './use-refresh-state.ts';

const tickMs = 1000;

/** The age of the data, and the buttons that refresh and print them. Trouble is also announced to screen readers, once. */
export function RefreshStatus(): ReactNode {
  const words = useWords();
  const client = useQueryClient();
  const state = useRefreshState();
  const now = useNow(tickMs);
  const since = state.staleSince === null ? null : clock(state.staleSince);
  const trouble = since === null ? words.unreachable : words.stale(since);
  return (
    <div className="refresh">
      <p className="refresh-text" data-failing={state.failing || undefined}>
        {state.failing ? (
          <>
            <Icon name="alert" size={14} /> {trouble}
            <span className="refresh-more">{words.tryingAgain}</span>
          </>
        ) : (
          state.updatedAt !== null && (
            <>
              <span className="refresh-more">{words.updated}</span>
              {age(now - state.updatedAt, words)}
            </>
          )
        )}
      </p>
      <p className="visually-hidden" role="status" aria-live="polite">
        {state.failing && words.refreshFailed(trouble)}
      </p>
      <button
        type="button"
        className="icon-button"
        aria-label={words.refresh}
        title={words.refresh}
        data-busy={state.busy || undefined}
        onClick={() => void client.refetchQueries({ queryKey: ['widget'], type: 'active' })}
      >
        <Icon name="refresh" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={words.print}
        title={words.print}
        onClick={printDashboard}
      >
        <Icon name="print" />
      </button>
    </div>
  );
}

function age(ms: number, words: WidgetWords): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 3) return words.justNow;
  return words.ago(
    seconds < 60 ? `${seconds} s` : formatDuration(seconds - (seconds % 60)).replace(/ 00 s$/, ''),
  );
}

function clock(at: number): string {
  return new Intl.DateTimeFormat(pageLocale(), { timeStyle: 'medium' }).format(at);
}
