import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { ReceiverTable } from '../receivers/receiver-table.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import { LinkHint } from './link-hint.tsx';

/** Where people are told of what happens: by mail, in Slack, in Teams. */
export function ChannelsScreen(): ReactNode {
  const api = useApi();
  const navigate = useNavigate();
  const { channels } = useTexts().admin;
  const [isNew, setNew] = useState(false);
  const query = usePages(['channels', 'list'], (page, signal) =>
    api.GET('/api/notifications/channels', {
      params: {
        query: { sort: 'name' as const, ...page },
      },
      signal,
    }),
  );
  return (
    <AdminScreen
      title={channels.title}
      actions={
        <button type="button" className="button" onClick={() => setNew(true)}>
          <Icon name="plus" />
          {channels.new}
        </button>
      }
    >
      <div className="sections">
        <LinkHint />
        <section className="panel" aria-label={channels.title}>
          <Pages query={query} empty={channels.none}>
            {(records) => (
              <ReceiverTable
                receivers={records}
                link={({ id, name }) => (
                  <Link to="/admin/notifications/$id" params={{ id: String(id) }} className="record-link">
                    {name} <span className="record-id">#{id}</span>
                  </Link>
                )}
                target={(one) => `${channels.kinds[one.kind]} · ${one.target}`}
              />
            )}
          </Pages>
        </section>
      </div>
      {isNew && (
        <ChannelDialog
          channel={null}
          onSaved={({ id }) => void navigate({ to: '/admin/notifications/$id', params: { id: String(id) } })}
          onClose={() => setNew(false)}
        />
      )}
    </AdminScreen>
  );
}
