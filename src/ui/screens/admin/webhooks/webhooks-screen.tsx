import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ShownOnce } from '../../../frame/forms/shown-once.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { ReceiverTable } from '../receivers/receiver-table.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

/** Who is told of what happens, over HTTP. */
export function WebhooksScreen(): ReactNode {
  const api = useApi();
  const navigate = useNavigate();
  const { admin } = useTexts();
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<{ readonly id: number; readonly secret: string } | null>(null);
  const query = usePages(['webhooks', 'list'], (page, signal) =>
    api.GET('/api/webhooks', {
      params: {
        query: { sort: 'name' as const, ...page },
      },
      signal,
    }),
  );
  return (
    <AdminScreen
      title={admin.webhooks.title}
      actions={
        <button type="button" className="button" onClick={() => setNew(true)}>
          <Icon name="plus" />
          {admin.webhooks.new}
        </button>
      }
    >
      <section className="panel" aria-label={admin.webhooks.title}>
        <Pages query={query} empty={admin.webhooks.none}>
          {(webhooks) => (
            <ReceiverTable
              receivers={webhooks}
              link={({ id, name }) => (
                <Link to="/admin/webhooks/$id" params={{ id: String(id) }} className="record-link">
                  {name} <span className="record-id">#{id}</span>
                </Link>
              )}
              target={({ url }) => url}
            />
          )}
        </Pages>
      </section>
      {isNew && (
        <WebhookDialog
          webhook={null}
          onMade={(id, secret) => {
            setNew(false);
            setMade({ id, secret });
          }}
          onClose={() => setNew(false)}
        />
      )}
      {made !== null && (
        <ShownOnce
          title={admin.webhooks.made}
          hint={admin.webhooks.secretHint}
          secret={made.secret}
          onClose={() => void navigate({ to: '/admin/webhooks/$id', params: { id: String(made.id) } })}
        />
      )}
    </AdminScreen>
  );
}
