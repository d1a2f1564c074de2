import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { byName } from '../../../frame/records/filter.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';

type ApiKey = components['schemas']['ApiKey'];

const queryKey = ['api-keys', 'all'];

/** The API keys of everybody: whose they are, what they may do, when they were used, and their end. */
export function ApiKeysScreen(): ReactNode {
  const api = useApi();
  const { admin } = useTexts();
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const query = usePages(
    queryKey,
    (page, signal) => api.GET('/api/api-keys', { params: { query: { ...page } }, signal }),
    { isLive: false },
  );
  return (
    <AdminScreen title={admin.apiKeys.title}>
      <section className="panel" aria-label={admin.apiKeys.title}>
        <Pages query={query} empty={admin.apiKeys.none}>
          {(keys) => <KeyTable keys={keys} onRevoke={setAsked} />}
        </Pages>
      </section>
      {asked !== null && <RevokeDialog apiKey={asked} onClose={() => setAsked(null)} />}
    </AdminScreen>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  onRevoke(key: ApiKey): void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps): ReactNode {
  const { admin, account, jobs } = useTexts();
  const emailOf = useEmails();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: admin.apiKeys.scopes, isWide: true },
          { label: account.expires, isWide: true },
          { label: account.lastUsed, isWide: true },
        ]}
      >
        <th scope="col">
          <span className="visually-hidden">{account.revoke}</span>
        </th>
      </ListHead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td>
              {key.name}
              <p className="record-facts">{emailOf(key.user_id)}</p>
              <p className="record-facts">
                <code>{key.prefix}…</code>
              </p>
            </td>
            <td className="wide-only">
              {key.scopes.includes('*') ? account.everything : key.scopes.join(', ')}
            </td>
            <td className="wide-only">
              {key.expires_at === null ? account.never : <When at={key.expires_at} />}
            </td>
            <td className="wide-only">
              {key.last_used_at === null ? account.never : <When at={key.last_used_at} />}
            </td>
            <td data-align="right">
              <button
                type="button"
                className="text-button"
                aria-label={`${account.revoke}: ${key.name}`}
                onClick={() => onRevoke(key)}
              >
                {account.revoke}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whose number it is; the number itself where there are too many users to know all. */
function useEmails(): (id: number) => string {
  const api = useApi();
  const { runs } = useTexts();
  const { data } = useQuery({
    queryKey: ['users', 'emails'],
    queryFn: ({ signal }) => api.GET('/api/users', { params: { query: byName }, signal }),
    select: ({ result }) => new Map(result.map(({ id, email }) => [id, email])),
  });
  return (id) => data?.get(id) ?? runs.unknown(id);
}

function RevokeDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { account, admin, frame } = useTexts();
  const action = useMutation({
    mutationFn: () => api.DELETE('/api/api-keys/{id}', { params: { path: { id: apiKey.id } } }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['api-keys'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={account.revokeQuestion(apiKey.name)}
      confirm={account.revoke}
      dismiss={frame.cancel}
      danger
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{admin.apiKeys.revokeHint}</p>
    </ConfirmDialog>
  );
}
