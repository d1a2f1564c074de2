import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { ReceiverState, WantedText } from '../receivers/receiver-state.tsx';
import type { Channel } from './channel.ts';
import { ChannelDialog } from './channel-dialog.tsx';

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
      <section className="panel" aria-label={channels.title}>
        <Pages query={query} empty={channels.none}>
          {(records) => <ChannelTable channels={records} />}
        </Pages>
      </section>
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

function ChannelTable({ channels }: { readonly channels: readonly Channel[] }): ReactNode {
  const { admin, jobs, runs } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: runs.status },
          { label: admin.receivers.events, isWide: true },
          { label: admin.receivers.lastSuccess, isWide: true },
        ]}
      />
      <tbody>
        {channels.map((channel) => (
          <tr key={channel.id}>
            <td>
              <Link to="/admin/notifications/$id" params={{ id: String(channel.id) }} className="record-link">
                {channel.name} <span className="record-id">{channel.id}</span>
              </Link>
              <p className="record-facts">
                {admin.channels.kinds[channel.kind]} · {channel.target}
              </p>
            </td>
            <td>
              <ReceiverState receiver={channel} />
            </td>
            <td className="wide-only">
              <WantedText receiver={channel} />
            </td>
            <td className="wide-only">
              <When at={channel.last_success_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
