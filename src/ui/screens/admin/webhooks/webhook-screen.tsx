import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Client } from '../../../../client/create-client.ts';
import { ShownOnce } from '../../../frame/forms/shown-once.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { JsonView } from '../../../frame/records/json-view.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DeliverySection } from '../receivers/delivery-section.tsx';
import type { DeliveryCalls } from '../receivers/receiver.ts';
import { ReceiverFacts } from '../receivers/receiver-state.tsx';
import { TestButton } from '../receivers/test-button.tsx';
import { VerbDialog } from '../receivers/verb-dialog.tsx';
import type { Webhook } from './webhook.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

const route = getRouteApi('/signed-in/admin/webhooks/$id');

/** One webhook: its state, a test, its secret, and what was sent. */
export function WebhookScreen(): ReactNode {
  const api = useApi();
  const id = Number(route.useParams().id);
  const { admin } = useTexts();
  const query = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => api.GET('/api/webhooks/{id}', { params: { path: { id } }, signal }),
  });
  const { data } = query;
  return (
    <Screen
      title={data?.name ?? admin.webhooks.title}
      above={
        <p className="screen-above">
          <Link to="/admin/webhooks">{admin.webhooks.title}</Link>
        </p>
      }
      facts={data && <ReceiverFacts receiver={data} target={data.url} />}
      actions={data && <Actions webhook={data} />}
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

type Asked = 'edit' | 'rotate' | 'remove' | 'toggle';

function Actions({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const api = useApi();
  const navigate = route.useNavigate();
  const { admin, editor } = useTexts();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { id, enabled, version } = webhook;
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
      {button(admin.webhooks.rotate, () => setAsked('rotate'))}
      {button(editor.verbs.remove, () => setAsked('remove'))}
      {asked === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      {asked === 'rotate' && <RotateDialog webhook={webhook} onSecret={setSecret} onClose={close} />}
      {(asked === 'toggle' || asked === 'remove') && (
        <VerbDialog
          receiver={webhook}
          verb={asked}
          queryKey={['webhooks']}
          toggle={() => api.PUT('/api/webhooks/{id}', { params, body: { enabled: !enabled } })}
          remove={() => api.DELETE('/api/webhooks/{id}', { params })}
          leave={() => navigate({ to: '/admin/webhooks' })}
          onClose={close}
        />
      )}
      {secret !== null && (
        <ShownOnce
          title={admin.webhooks.newSecret}
          hint={admin.webhooks.rotatedHint}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

interface RotateDialogProps {
  readonly webhook: Webhook;
  onSecret(secret: string): void;
  onClose(): void;
}

function RotateDialog({ webhook, onSecret, onClose }: RotateDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, frame } = useTexts();
  const { id, name } = webhook;
  const { rotate, rotateHint } = admin.webhooks;
  const action = useMutation({
    mutationFn: () => api.POST('/api/webhooks/{id}/rotate-secret', { params: { path: { id } }, body: {} }),
    onSuccess({ secret }) {
      onClose();
      onSecret(secret);
      void client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <ConfirmDialog
      title={`${rotate}: ${name}`}
      confirm={rotate}
      dismiss={frame.cancel}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{rotateHint}</p>
    </ConfirmDialog>
  );
}

function deliveryCalls(api: Client, id: number): DeliveryCalls {
  const path = { id };
  const one = (delivery_id: number) => ({ path: { id, delivery_id } });
  return {
    queryKey: ['webhooks', id],
    testPath: `/api/webhooks/${id}/test`,
    list: (query, signal) => api.GET('/api/webhooks/{id}/deliveries', { params: { path, query }, signal }),
    read: (delivery, signal) =>
      api.GET('/api/webhooks/{id}/deliveries/{delivery_id}', { params: one(delivery), signal }),
    test: () => api.POST('/api/webhooks/{id}/test', { params: { path } }),
    redeliver: (delivery) =>
      api.POST('/api/webhooks/{id}/deliveries/{delivery_id}/redeliver', { params: one(delivery) }),
    redeliverFailed: (since) =>
      api.POST('/api/webhooks/{id}/redeliver', { params: { path }, body: { since } }),
  };
}

function Message({ id, deliveryId }: { readonly id: number; readonly deliveryId: number }): ReactNode {
  const api = useApi();
  const { receivers } = useTexts().admin;
  const query = useQuery({
    queryKey: ['webhooks', id, 'deliveries', 'one', deliveryId],
    queryFn: ({ signal }) =>
      api.GET('/api/webhooks/{id}/deliveries/{delivery_id}', {
        params: { path: { id, delivery_id: deliveryId } },
        signal,
      }),
  });
  return (
    <Loaded query={query}>{({ payload }) => <JsonView title={receivers.message} value={payload} />}</Loaded>
  );
}
