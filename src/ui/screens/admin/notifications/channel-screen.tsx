import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Client } from '../../../../client/create-client.ts';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { CodeText } from '../../../frame/records/code-text.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DeliverySection } from '../receivers/delivery-section.tsx';
import type { DeliveryCalls } from '../receivers/receiver.ts';
import { ReceiverFacts } from '../receivers/receiver-state.tsx';
import { TestButton } from '../receivers/test-button.tsx';
import { VerbDialog } from '../receivers/verb-dialog.tsx';
import type { Channel } from './channel.ts';
import { ChannelDialog } from './channel-dialog.tsx';

const route = getRouteApi('/signed-in/admin/notifications/$id');

/** One channel: its state, a test, and the messages that it was sent. */
export function ChannelScreen(): ReactNode {
  const api = useApi();
  const id = Number(route.useParams().id);
  const { channels } = useTexts().admin;
  const query = useQuery({
    queryKey: ['channels', id],
    queryFn: ({ signal }) =>
      api.GET('/api/notifications/channels/{id}', { params: { path: { id } }, signal }),
  });
  const { data } = query;
  return (
    <Screen
      title={data?.name ?? channels.title}
      above={
        <p className="screen-above">
          <Link to="/admin/notifications">{channels.title}</Link>
        </p>
      }
      facts={
        data && <ReceiverFacts receiver={data} target={`${channels.kinds[data.kind]} · ${data.target}`} />
      }
      actions={data && <Actions channel={data} />}
    >
      <Loaded query={query}>
        {() => (
          <DeliverySection
            calls={deliveryCalls(api, id)}
            showMessage={(deliveryId) => <Message id={id} deliveryId={deliveryId} />}
          />
        )}
      </Loaded>
    </Screen>
  );
}

function Actions({ channel }: { readonly channel: Channel }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { admin, editor } = useTexts();
  const [asked, setAsked] = useState<'edit' | 'remove' | 'toggle' | null>(null);
  const { id, version, enabled } = channel;
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  const close = () => setAsked(null);
  const button = (label: string, onClick: () => void) => (
    <button type="button" className="button" data-style="secondary" onClick={onClick}>
      {label}
    </button>
  );
  return (
    <>
      <TestButton calls={deliveryCalls(api, id)} />
      {button(editor.edit, () => setAsked('edit'))}
      {button(enabled ? admin.receivers.disable : admin.receivers.enable, () => setAsked('toggle'))}
      {button(editor.verbs.remove, () => setAsked('remove'))}
      {asked === 'edit' && <ChannelDialog channel={channel} onSaved={close} onClose={close} />}
      {(asked === 'toggle' || asked === 'remove') && (
        <VerbDialog
          receiver={channel}
          verb={asked}
          queryKey={['channels']}
          toggle={() => api.PUT('/api/notifications/channels/{id}', { params, body: { enabled: !enabled } })}
          remove={() => api.DELETE('/api/notifications/channels/{id}', { params })}
          leave={() => navigate({ to: '/admin/notifications' })}
          onClose={close}
        />
      )}
    </>
  );
}

const group = '/api/notifications/channels/{id}';
const oneDelivery = `${group}/deliveries/{delivery_id}` as const;

function deliveryCalls(api: Client, id: number): DeliveryCalls {
  const path = { id };
  const one = (delivery_id: number) => ({ path: { id, delivery_id } });
  return {
    queryKey: ['channels', id],
    testPath: `/api/notifications/channels/${id}/test`,
    list: (query, signal) => api.GET(`${group}/deliveries`, { params: { path, query }, signal }),
    read: (delivery, signal) => api.GET(oneDelivery, { params: one(delivery), signal }),
    test: () => api.POST(`${group}/test`, { params: { path } }),
    redeliver: (delivery) => api.POST(`${oneDelivery}/redeliver`, { params: one(delivery) }),
    redeliverFailed: (since) => api.POST(`${group}/redeliver`, { params: { path }, body: { since } }),
  };
}

/** What people read, and what the server of the channel answered. */
function Message({ id, deliveryId }: { readonly id: number; readonly deliveryId: number }): ReactNode {
  const api = useApi();
  const { channels } = useTexts().admin;
  const query = useQuery({
    queryKey: ['channels', id, 'deliveries', 'one', deliveryId],
    queryFn: ({ signal }) =>
      api.GET(oneDelivery, { params: { path: { id, delivery_id: deliveryId } }, signal }),
  });
  return (
    <Loaded query={query}>
      {({ title, facts, message, link, response_body: answer }) => (
        <div className="stack">
          <h3>{title}</h3>
          <dl className="letter-values">
            {facts.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
            {link !== null && (
              <div>
                <dt>{channels.link}</dt>
                <dd>{link}</dd>
              </div>
            )}
          </dl>
          {message !== null && <p className="record-error">{message}</p>}
          {answer !== null && answer !== '' && <CodeText label={channels.answer}>{answer}</CodeText>}
        </div>
      )}
    </Loaded>
  );
}
