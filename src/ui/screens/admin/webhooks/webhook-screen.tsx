import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ShownOnce } from '../../../frame/forms/shown-once.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DeliverySection } from './delivery-section.tsx';
import type { Webhook } from './webhook.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhooks-screen.tsx';

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
      facts={data && <Facts webhook={data} />}
      actions={data && <Actions webhook={data} />}
    >
      <Loaded query={query}>{(webhook) => <DeliverySection id={webhook.id} />}</Loaded>
    </Screen>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { admin } = useTexts();
  return (
    <ul className="facts">
      <li>
        <WebhookState webhook={webhook} />
      </li>
      <li>{webhook.url}</li>
      {webhook.last_success_at !== null && (
        <li>
          {admin.webhooks.lastSuccess} <When at={webhook.last_success_at} />
        </li>
      )}
      {webhook.failing_since !== null && (
        <li>
          {admin.webhooks.failingSince} <When at={webhook.failing_since} />
        </li>
      )}
    </ul>
  );
}

type Asked = 'edit' | 'rotate' | 'remove' | 'toggle';

function Actions({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, editor } = useTexts();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { id, enabled } = webhook;
  const test = useMutation({
    mutationFn: () => api.POST('/api/webhooks/{id}/test', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', id] }),
  });
  const close = () => setAsked(null);
  const button = (label: string, onClick: () => void) => (
    <button type="button" className="button" data-style="secondary" onClick={onClick}>
      {label}
    </button>
  );
  return (
    <>
      {button(admin.webhooks.test, () => test.mutate())}
      {button(editor.edit, () => setAsked('edit'))}
      {button(enabled ? admin.webhooks.disable : admin.webhooks.enable, () => setAsked('toggle'))}
      {button(admin.webhooks.rotate, () => setAsked('rotate'))}
      {button(editor.verbs.remove, () => setAsked('remove'))}
      <FormProblem error={test.error} />
      {asked === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      {asked !== null && asked !== 'edit' && (
        <VerbDialog webhook={webhook} verb={asked} onSecret={setSecret} onClose={close} />
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

interface VerbDialogProps {
  readonly webhook: Webhook;
  readonly verb: Exclude<Asked, 'edit'>;
  onSecret(secret: string): void;
  onClose(): void;
}

function VerbDialog({ webhook, verb, onSecret, onClose }: VerbDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { admin, editor, frame } = useTexts();
  const { id, name, version, enabled } = webhook;
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  const action = useMutation({
    async mutationFn(): Promise<string | null> {
      if (verb === 'rotate')
        return (await api.POST('/api/webhooks/{id}/rotate-secret', { params: { path: { id } }, body: {} }))
          .secret;
      if (verb === 'remove') await api.DELETE('/api/webhooks/{id}', { params });
      else await api.PUT('/api/webhooks/{id}', { params, body: { enabled: !enabled } });
      return null;
    },
    onSuccess(secret) {
      onClose();
      if (secret !== null) onSecret(secret);
      if (verb === 'remove') {
        client.removeQueries({ queryKey: ['webhooks', id] });
        void navigate({ to: '/admin/webhooks' });
      }
      void client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const words = {
    rotate: [admin.webhooks.rotate, admin.webhooks.rotateHint],
    remove: [editor.verbs.remove, admin.webhooks.removeHint],
    toggle: enabled
      ? [admin.webhooks.disable, admin.webhooks.disableHint]
      : [admin.webhooks.enable, admin.webhooks.enableHint],
  } as const;
  const [label, hint] = words[verb];
  return (
    <ConfirmDialog
      title={`${label}: ${name}`}
      confirm={label}
      dismiss={frame.cancel}
      danger={verb === 'remove'}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{hint}</p>
    </ConfirmDialog>
  );
}
