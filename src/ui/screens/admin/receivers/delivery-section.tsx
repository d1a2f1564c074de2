import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { Filter } from '../../../frame/records/filter.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import type { Delivery, DeliveryCalls } from './receiver.ts';

/** Failed deliveries of the last 30 days are sent again together. */
const redeliverMs = 30 * 86_400_000;
const statuses = ['pending', 'delivered', 'failed'] as const;

interface DeliveryProps {
  readonly calls: DeliveryCalls;
  /** The message of one delivery, whole. */
  showMessage(deliveryId: number): ReactNode;
}

/** What was sent to a receiver, newest first, with the answers, and a way to send it again. */
export function DeliverySection({ calls, showMessage }: DeliveryProps): ReactNode {
  const client = useQueryClient();
  const { admin, runs } = useTexts();
  const [status, setStatus] = useState<Delivery['status'] | undefined>(undefined);
  const filters = status === undefined ? {} : { status };
  const query = usePages(
    [...calls.queryKey, 'deliveries', filters],
    (page, signal) => calls.list({ ...filters, ...page }, signal),
    { keepsBefore: true },
  );
  const resend = useMutation({
    mutationFn: () => calls.redeliverFailed(new Date(Date.now() - redeliverMs).toISOString()),
    onSuccess: () => client.invalidateQueries({ queryKey: calls.queryKey }),
  });
  return (
    <section className="panel" aria-labelledby="deliveries">
      <div className="panel-head">
        <h2 id="deliveries">{admin.receivers.deliveries}</h2>
        <button
          type="button"
          className="text-button"
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {admin.receivers.redeliverFailed}
        </button>
      </div>
      <FormProblem error={resend.error} />
      <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
        <Filter
          label={runs.status}
          options={statuses.map((one) => [one, admin.receivers.states[one]] as const)}
          value={status}
          onChange={(chosen) => setStatus(statuses.find((one) => one === chosen))}
        />
      </form>
      <Pages query={query} empty={admin.receivers.noDeliveries}>
        {(deliveries) => (
          <ol className="versions">
            {deliveries.map((delivery) => (
              <DeliveryEntry key={delivery.id} delivery={delivery} calls={calls} showMessage={showMessage} />
            ))}
          </ol>
        )}
      </Pages>
      <ScriptSection calls={[{ method: 'POST', path: calls.testPath }]} />
    </section>
  );
}

const tones = { pending: 'info', delivered: 'success', failed: 'danger' } as const;

function DeliveryEntry({
  delivery,
  calls,
  showMessage,
}: DeliveryProps & { readonly delivery: Delivery }): ReactNode {
  const client = useQueryClient();
  const { admin } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { id, event, status, attempts, response_status, error, created_at } = delivery;
  const again = useMutation({
    mutationFn: () => calls.redeliver(id),
    onSuccess: () => client.invalidateQueries({ queryKey: calls.queryKey }),
  });
  return (
    <li>
      <div className="panel-head">
        <span>
          <span className="status" data-tone={tones[status]}>
            {wordOf(admin.receivers.states, status)}
          </span>{' '}
          {wordOf(admin.events, event)}{' '}
          <span className="record-id">
            <When at={created_at} /> · {admin.receivers.attempts(attempts)}
            {response_status !== null && ` · ${response_status}`}
          </span>
        </span>
        <span>
          <button
            type="button"
            className="text-button"
            aria-expanded={isOpen}
            aria-label={`${admin.receivers.details}: ${id}`}
            onClick={() => setOpen(!isOpen)}
          >
            {admin.receivers.details}
          </button>
          {status !== 'pending' && (
            <button
              type="button"
              className="text-button"
              disabled={again.isPending}
              aria-label={`${admin.receivers.redeliver}: ${id}`}
              onClick={() => again.mutate()}
            >
              {admin.receivers.redeliver}
            </button>
          )}
        </span>
      </div>
      {error !== null && <p className="record-error">{error}</p>}
      <FormProblem error={again.error} />
      {isOpen && showMessage(id)}
    </li>
  );
}
