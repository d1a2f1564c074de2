import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, retryDelayMs } from '../api/api-error.ts';
import { useWords } from '../texts/words-context.ts';
import { DashboardView } from './dashboard-view.tsx';
import { MessagePage } from './message-page.tsx';
import { PasswordPage } from './password-page.tsx';
import type { PublicApi } from './public-api.ts';
import { TopBar } from './top-bar.tsx';

const definitionFreshMs = 300_000;

interface ShareAppProps {
  readonly api: PublicApi;
}

/** The share page: the dashboard, or why it is not shown. */
export function ShareApp({ api }: ShareAppProps): ReactNode {
  const client = useQueryClient();
  const [drafts] = useState(() => new Map<string, unknown>());
  const query = useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => api.dashboard(signal),
    staleTime: definitionFreshMs,
    // A page on a wall display is never focused, but must follow its author's changes too.
    refetchInterval: definitionFreshMs,
    networkMode: 'always',
    retry: (_count, error) => error instanceof ApiError && error.isTemporary,
    retryDelay: retryDelayMs,
  });
  const status = query.error instanceof ApiError ? query.error.status : null;
  if (status === 401) {
    const open = () => void client.resetQueries({ queryKey: ['dashboard'] });
    return (
      <Plain>
        <PasswordPage unlock={api.unlock} onUnlocked={open} />
      </Plain>
    );
  }
  if (query.isError && (query.data === undefined || status === 404)) {
    return (
      <Plain>
        <LinkGone status={status} />
      </Plain>
    );
  }
  if (query.data === undefined) {
    return (
      <Plain>
        <Opening waiting={query.failureCount > 0} />
      </Plain>
    );
  }
  return <DashboardView api={api} drafts={drafts} dashboard={query.data} />;
}

function Plain({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <>
      <TopBar />
      {children}
    </>
  );
}

function LinkGone({ status }: { readonly status: number | null }): ReactNode {
  const words = useWords();
  if (status === 404) {
    return (
      <MessagePage icon="link" title={words.share.gone}>
        <p>{words.share.goneHint}</p>
      </MessagePage>
    );
  }
  return (
    <MessagePage icon="alert" title={words.share.refused}>
      <p>{words.share.refusedHint}</p>
    </MessagePage>
  );
}

/** Until the definition is known: reserves the title's space, so that nothing moves when it arrives. */
function Opening({ waiting }: { readonly waiting: boolean }): ReactNode {
  const words = useWords();
  return (
    <main className="page" aria-busy="true">
      <div className="page-head">
        <div className="page-title">
          <div className="skeleton skeleton-title" />
        </div>
      </div>
      <p className={waiting ? 'opening-wait' : 'visually-hidden'} role="status">
        {waiting ? words.share.noResponse : words.share.loading}
      </p>
    </main>
  );
}
