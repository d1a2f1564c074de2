import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { ModalDialog } from '../../../kit/modal-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Webhook } from './webhook.ts';

type Events = Exclude<Webhook['events'], '*'>;
type Event = Events[number];

interface WebhookDialogProps {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  /** With the secret of the new one, which is shown once. */
  onMade?(id: number, secret: string): void;
  onClose(): void;
}

/** A webhook's address and what it is told of. */
export function WebhookDialog({ webhook, onMade, onClose }: WebhookDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, editor, frame } = useTexts();
  const id = useId();
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<Webhook['events']>(webhook?.events ?? '*');
  const press = useRef(crypto.randomUUID());
  const save = useMutation({
    async mutationFn() {
      const body = { name, url, events: events === '*' ? events : [...events] };
      if (webhook !== null) {
        const params = { path: { id: webhook.id }, header: { 'If-Match': `"${webhook.version}"` } };
        return api.PUT('/api/webhooks/{id}', { params, body });
      }
      const header = { 'Idempotency-Key': press.current };
      const made = await api.POST('/api/webhooks', { params: { header }, body });
      onMade?.(made.id, made.secret);
      return made;
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      if (webhook !== null) onClose();
    },
    onError() {
      // What was refused is asked anew.
      press.current = crypto.randomUUID();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <ModalDialog labelledBy={id} busy={save.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{webhook?.name ?? admin.webhooks.new}</h2>
        <TextField label={admin.users.name} required autoFocus value={name} onChange={setName} />
        <TextField
          label={admin.webhooks.url}
          hint={admin.webhooks.urlHint}
          required
          value={url}
          onChange={setUrl}
        />
        <EventChoices events={events} onChange={setEvents} />
        <FormProblem error={save.error} />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button type="submit" className="button" disabled={save.isPending || events.length === 0}>
            {webhook === null ? editor.create : editor.save}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}

interface EventChoicesProps {
  readonly events: Webhook['events'];
  onChange(events: Webhook['events']): void;
}

function EventChoices({ events, onChange }: EventChoicesProps): ReactNode {
  const { admin } = useTexts();
  const known = Object.keys(admin.events).filter((event): event is Event => event !== 'webhook.test');
  const chosen = events === '*' ? known : events;
  const toggle = (event: Event) =>
    onChange(
      events !== '*' && events.includes(event)
        ? events.filter((one) => one !== event)
        : [...(events === '*' ? [] : events), event],
    );
  return (
    <fieldset className="choices">
      <legend>{admin.webhooks.events}</legend>
      <label className="check-line">
        <input
          type="checkbox"
          checked={events === '*'}
          onChange={({ target }) => onChange(target.checked ? '*' : known)}
        />
        {admin.webhooks.allEvents}
      </label>
      {events !== '*' &&
        known.map((event) => (
          <label key={event} className="check-line">
            <input type="checkbox" checked={chosen.includes(event)} onChange={() => toggle(event)} />
            {admin.events[event]}
          </label>
        ))}
    </fieldset>
  );
}
