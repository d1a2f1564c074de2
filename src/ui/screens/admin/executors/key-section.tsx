import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

/** The keys with which executors register, by fingerprint: no key is ever shown. */
export function KeySection(): ReactNode {
  const api = useApi();
  const { admin } = useTexts();
  const [asked, setAsked] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['executor-keys'],
    queryFn: ({ signal }) => api.GET('/api/server/executor-keys', { signal }),
  });
  return (
    <section className="panel" aria-labelledby="executor-keys">
      <h2 id="executor-keys">{admin.keys.title}</h2>
      <Loaded query={query}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState>{admin.keys.none}</EmptyState>
          ) : (
            <table className="list run-list">
              <ListHead
                columns={[
                  { label: admin.keys.fingerprint },
                  { label: admin.keys.setting },
                  { label: admin.keys.lastSeen, isWide: true },
                ]}
              >
                <th scope="col">
                  <span className="visually-hidden">{admin.keys.revoke}</span>
                </th>
              </ListHead>
              <tbody>
                {result.map(({ fingerprint, setting, last_seen_at, revoked_at, revoked_by }) => (
                  <tr key={fingerprint}>
                    <td>
                      <code>{fingerprint}</code>
                    </td>
                    <td>
                      {revoked_at === null ? (
                        setting === null ? (
                          admin.keys.notSet
                        ) : (
                          admin.keys.settings[setting]
                        )
                      ) : (
                        <>
                          {admin.keys.revoked} <When at={revoked_at} /> {revoked_by}
                        </>
                      )}
                    </td>
                    <td className="wide-only">
                      <When at={last_seen_at} />
                    </td>
                    <td data-align="right">
                      {revoked_at === null && (
                        <button
                          type="button"
                          className="text-button"
                          aria-label={`${admin.keys.revoke}: ${fingerprint}`}
                          onClick={() => setAsked(fingerprint)}
                        >
                          {admin.keys.revoke}
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {asked !== null && <RevokeDialog fingerprint={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

function RevokeDialog({
  fingerprint,
  onClose,
}: {
  readonly fingerprint: string;
  onClose(): void;
}): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, frame } = useTexts();
  const action = useMutation({
    mutationFn: () =>
      api.POST('/api/server/executor-keys/{fingerprint}/revoke', { params: { path: { fingerprint } } }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['executor-keys'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={admin.keys.revokeTitle(fingerprint)}
      confirm={admin.keys.revoke}
      dismiss={frame.cancel}
      danger
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{admin.keys.revokeHint}</p>
    </ConfirmDialog>
  );
}
