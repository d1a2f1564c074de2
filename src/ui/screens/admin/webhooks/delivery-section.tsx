import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Filter } from '../../../frame/records/filter.tsx';
import { JsonView } from '../../../frame/records/json-view.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type Delivery = components['schemas']['WebhookDelivery'];
/** Failed deliveries of the last 30 days are sent again together. */
const redeliverMs = 30 * 86_400_000;
const statuses = ['pending', 'delivered', 'failed'] as const;

/** What was sent to a webhook, newest first, with the answers, and a way to send it again. */
export function DeliverySection({ id }: { readonly id: number }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, runs } = useTexts();
  const [status, setStatus] = useState<Delivery['status'] | undefined>(undefined);
  const filters = status === undefined ? {} : { status };
  const query = usePages(
    ['webhooks', id, 'deliveries', filters],
    (page, signal) =>
      api.GET('/api/webhooks/{id}/deliveries', {
        params: {
          path: { id },
          query: { ...filters, ...page },
        },
        signal,
      }),
    { keepsBefore: true },
  );
  const resend = useMutation({
    mutationFn() {
      const since = new Date(Date.now() - redeliverMs).toISOString();
      return api.POST('/api/webhooks/{id}/redeliver', { params: { path: { id } }, body: { since } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', id] }),
  });
  return (
    <section className="panel" aria-labelledby="deliveries">
      <div className="panel-head">
        <h2 id="deliveries">{admin.webhooks.deliveries}</h2>
        <button
          type="button"
          className="text-button"
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {admin.webhooks.redeliverFailed}
        </button>
      </div>
      <FormProblem error={resend.error} />
      <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
        <Filter
          label={runs.status}
          options={statuses.map((one) => [one, admin.webhooks.states[one]] as const)}
          value={status}
          onChange={(chosen) => setStatus(statuses.find((one) => one === chosen))}
        />
      </form>
      <Pages query={query} empty={admin.webhooks.noDeliveries}>
        {(deliveries) => (
          <ol className="versions">
            {deliveries.map((delivery) => (
              <DeliveryEntry key={delivery.id} delivery={delivery} />
            ))}
          </ol>
        )}
      </Pages>
    </section>
  );
}

const tones = { pending: 'info', delivered: 'success', failed: 'danger' } as const;

function DeliveryEntry({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { id, webhook_id, event, status, attempts, response_status, error, created_at } = delivery;
  const again = useMutation({
    mutationFn: () =>
      api.POST('/api/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
        params: { path: { id: webhook_id, delivery_id: id } },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', webhook_id] }),
  });
  return (
    <li>
      <div className="panel-head">
        <span>
          <span className="status" data-tone={tones[status]}>
            {admin.webhooks.states[status]}
          </span>{' '}
          {admin.events[event]}{' '}
          <span className="record-id">
            <When at={created_at} /> · {admin.webhooks.attempts(attempts)}
            {response_status !== null && ` · ${response_status}`}
          </span>
        </span>
        <span>
          <button
            type="button"
            className="text-button"
            aria-expanded={isOpen}
            aria-label={`${admin.webhooks.details}: ${id}`}
            onClick={() => setOpen(!isOpen)}
          >
            {admin.webhooks.details}
          </button>
          {status !== 'pending' && (
            <button
              type="button"
              className="text-button"
              disabled={again.isPending}
              aria-label={`${admin.webhooks.redeliver}: ${id}`}
              onClick={() => again.mutate()}
            >
              {admin.webhooks.redeliver}
            </button>
          )}
        </span>
      </div>
      {error !== null && <p className="record-error">{error}</p>}
      <FormProblem error={again.error} />
      {isOpen && <DeliveryDetail delivery={delivery} />}
    </li>
  );
}

function DeliveryDetail({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const api = useApi();
  const { admin } = useTexts();
  const { id, webhook_id } = delivery;
  const query = useQuery({
    queryKey: ['webhooks', webhook_id, 'deliveries', 'one', id],
    queryFn: ({ signal }) =>
      api.GET('/api/webhooks/{id}/deliveries/{delivery_id}', {
        params: { path: { id: webhook_id, delivery_id: id } },
        signal,
      }),
  });
  return (
    <Loaded query={query}>
      {({ payload }) => <JsonView title={admin.webhooks.message} value={payload} />}
    </Loaded>
  );
}
