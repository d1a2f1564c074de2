import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { problemsAt } from '../../../frame/forms/field-problems.ts';
import { SaveProblem } from '../../../frame/forms/save-problem.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { ModalDialog } from '../../../kit/modal-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wantedAtFirst, wantedBody, wantedOf } from '../receivers/receiver.ts';
import { WantedFields } from '../receivers/wanted-fields.tsx';
import type { Webhook } from './webhook.ts';

const ownFields = ['name', 'url'];

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
  const [wanted, setWanted] = useState(webhook === null ? wantedAtFirst : wantedOf(webhook));
  // The one that the fields were filled from, whatever is read meanwhile.
  const [base] = useState(webhook);
  const body = { name, url, ...wantedBody(wanted) };
  const press = useRef(crypto.randomUUID());
  const save = useMutation({
    async mutationFn(base: Webhook | null) {
      if (base !== null) {
        const params = { path: { id: base.id }, header: { 'If-Match': `"${base.version}"` } };
        return api.PUT('/api/webhooks/{id}', { params, body });
      }
      const header = { 'Idempotency-Key': press.current };
      const made = await api.POST('/api/webhooks', { params: { header }, body });
      onMade?.(made.id, made.secret);
      return made;
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      if (base !== null) onClose();
    },
    onError() {
      // What was refused is asked anew.
      press.current = crypto.randomUUID();
    },
  });
  const close = () => {
    void client.invalidateQueries({ queryKey: ['webhooks'] });
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(base);
  };
  return (
    <ModalDialog labelledBy={id} busy={save.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{webhook?.name ?? admin.webhooks.new}</h2>
        <TextField
          label={admin.users.name}
          required
          autoFocus
          problems={problemsAt(save.error, 'name')}
          value={name}
          onChange={setName}
        />
        <TextField
          label={admin.webhooks.url}
          hint={admin.webhooks.urlHint}
          required
          problems={problemsAt(save.error, 'url')}
          value={url}
          onChange={setUrl}
        />
        <WantedFields wanted={wanted} onChange={setWanted} />
        <SaveProblem
          error={save.error}
          fields={ownFields}
          mine={body}
          read={(signal) =>
            api.GET('/api/webhooks/{id}', { params: { path: { id: base?.id ?? 0 } }, signal })
          }
          onKeep={(theirs) => save.mutate(theirs)}
          onTake={close}
        />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button type="submit" className="button" disabled={save.isPending || wanted.events.length === 0}>
            {webhook === null ? editor.create : editor.save}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}
