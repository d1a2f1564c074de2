import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, retryDelayMs } from '../api/api-error.ts';
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
  if (status === 404) {
    return (
      <MessagePage icon="link" title="This link is no longer valid">
        <p>
          It may have expired or been replaced. Please ask the person who shared it with you for a new one.
        </p>
      </MessagePage>
    );
  }
  return (
    <MessagePage icon="alert" title="This dashboard cannot be opened">
      <p>The server refused the request. Please tell the person who shared it with you.</p>
    </MessagePage>
  );
}

/** Until the definition is known: reserves the title's space, so that nothing moves when it arrives. */
function Opening({ waiting }: { readonly waiting: boolean }): ReactNode {
  return (
    <main className="page" aria-busy="true">
      <div className="page-head">
        <div className="page-title">
          <div className="skeleton skeleton-title" />
        </div>
      </div>
      <p className={waiting ? 'opening-wait' : 'visually-hidden'} role="status">
        {waiting ? 'The server is not responding. Trying again…' : 'Loading the dashboard'}
      </p>
    </main>
  );
}
