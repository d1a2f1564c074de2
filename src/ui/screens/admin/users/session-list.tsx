import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { DeviceName } from '../../../frame/session/device-name.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

/** Where a user is signed in. */
export function SessionList({ userId }: { readonly userId: number }): ReactNode {
  const api = useApi();
  const { admin, account } = useTexts();
  const query = useQuery({
    queryKey: ['users', userId, 'sessions'],
    queryFn: ({ signal }) =>
      api.GET('/api/users/{id}/sessions', { params: { path: { id: userId } }, signal }),
  });
  return (
    <Loaded query={query} lines={2}>
      {({ result }) =>
        result.length === 0 ? (
          <p className="field-hint">{admin.users.noSessions}</p>
        ) : (
          <ul className="records">
            {result.map((session) => (
              <li key={session.id}>
                <DeviceName session={session} />
                <span className="record-facts">
                  {session.address} · {account.lastSeen} <When at={session.last_seen_at} />
                  {session.current && ` · ${account.current}`}
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
