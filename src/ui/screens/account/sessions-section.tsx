import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormProblem } from '../../frame/forms/form-problem.tsx';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { DeviceName, useDeviceName } from '../../frame/session/device-name.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { formatValue } from '../../kit/format-value.ts';
import { useCatalogue } from '../../texts/texts-context.tsx';

const queryKey = ['sessions'];

/** Where the user is signed in. */
export function SessionsSection(): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { texts, locale } = useCatalogue();
  const { account } = texts;
  const nameOf = useDeviceName();
  const sessions = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.GET('/api/auth/sessions', { signal }),
  });
  const onSettled = () => client.invalidateQueries({ queryKey });
  const end = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }),
    onSettled,
  });
  const endOthers = useMutation({ mutationFn: () => api.DELETE('/api/auth/sessions'), onSettled });
  return (
    <section className="panel" aria-labelledby="account-sessions">
      <h2 id="account-sessions">{account.sessions}</h2>
      <Loaded query={sessions} lines={2}>
        {({ result }) => (
          <>
            <ul className="records">
              {result.map((session) => (
                <li key={session.id}>
                  <DeviceName session={session} />
                  <span className="record-facts">
                    {session.address} · {account.lastSeen}{' '}
                    {formatValue(session.last_seen_at, 'relative', { locale })}
                  </span>
                  {session.current ? (
                    <span className="record-facts">{account.current}</span>
                  ) : (
                    <button
                      type="button"
                      className="text-button"
                      disabled={end.isPending}
                      aria-label={`${account.end}: ${nameOf(session)}`}
                      onClick={() => end.mutate(session.id)}
                    >
                      {account.end}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            <FormProblem error={end.error ?? endOthers.error} />
            {result.length > 1 && (
              <button
                type="button"
                className="button"
                data-style="secondary"
                disabled={endOthers.isPending}
                onClick={() => endOthers.mutate()}
              >
                {account.endOthers}
              </button>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
