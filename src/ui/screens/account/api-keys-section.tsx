import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { FormProblem } from '../../frame/forms/form-problem.tsx';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { meQuery } from '../../frame/session/session.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatValue } from '../../kit/format-value.ts';
import { Icon } from '../../kit/icon.tsx';
import { ModalDialog } from '../../kit/modal-dialog.tsx';
import { useCatalogue, useTexts } from '../../texts/texts-context.tsx';
import { NewApiKeyDialog } from './new-api-key-dialog.tsx';

type ApiKey = components['schemas']['ApiKey'];

const queryKey = ['api-keys'];
const keysMax = 200;

/** The user's own API keys. Admins see those of others too: not here. */
export function ApiKeysSection(): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { account } = useTexts();
  const [isMaking, setMaking] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const me = useQuery(meQuery(api)).data?.id;
  const keys = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.GET('/api/api-keys', { params: { query: { limit: keysMax } }, signal }),
    select: ({ result }) => result.filter(({ user_id }) => user_id === me),
  });
  const refresh = () => void client.invalidateQueries({ queryKey });
  return (
    <section className="panel" aria-labelledby="account-keys">
      <div className="panel-head">
        <h2 id="account-keys">{account.keys}</h2>
        <button type="button" className="button" data-style="secondary" onClick={() => setMaking(true)}>
          <Icon name="plus" />
          {account.newKey}
        </button>
      </div>
      <p className="field-hint">{account.keysHint}</p>
      <Loaded query={keys} lines={2}>
        {(result) =>
          result.length === 0 ? (
            <EmptyState>{account.noKeys}</EmptyState>
          ) : (
            <ul className="records">
              {result.map((key) => (
                <KeyRow key={key.id} apiKey={key} onRevoke={() => setEnding(key)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isMaking && <NewApiKeyDialog onMade={refresh} onClose={() => setMaking(false)} />}
      {ending !== null && (
        <RevokeDialog apiKey={ending} onRevoked={refresh} onClose={() => setEnding(null)} />
      )}
    </section>
  );
}

function KeyRow({ apiKey, onRevoke }: { readonly apiKey: ApiKey; onRevoke(): void }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { account } = texts;
  const when = (time: string | null) =>
    time === null ? account.never : formatValue(time, 'relative', { locale });
  const scopes = apiKey.scopes.includes('*') ? account.everything : apiKey.scopes.join(', ');
  return (
    <li>
      <span className="record-name">
        {apiKey.name} <code>{apiKey.prefix}…</code>
      </span>
      <span className="record-facts">
        {scopes} · {account.expires}: {when(apiKey.expires_at)} · {account.lastUsed}:{' '}
        {when(apiKey.last_used_at)}
      </span>
      <button
        type="button"
        className="text-button"
        aria-label={`${account.revoke}: ${apiKey.name}`}
        onClick={onRevoke}
      >
        {account.revoke}
      </button>
    </li>
  );
}

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  onRevoked(): void;
  onClose(): void;
}

function RevokeDialog({ apiKey, onRevoked, onClose }: RevokeDialogProps): ReactNode {
  const api = useApi();
  const { account, frame } = useTexts();
  const revoke = useMutation({
    mutationFn: () => api.DELETE('/api/api-keys/{id}', { params: { path: { id: apiKey.id } } }),
    onSuccess() {
      onRevoked();
      onClose();
    },
  });
  return (
    <ModalDialog labelledBy="revoke-key" busy={revoke.isPending} onClose={onClose}>
      <div className="stack">
        <h2 id="revoke-key">{account.revokeQuestion(apiKey.name)}</h2>
        <FormProblem error={revoke.error} />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button
            type="button"
            className="button"
            data-style="danger"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            {account.revoke}
          </button>
        </div>
      </div>
    </ModalDialog>
  );
}
