import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { problemsAt } from '../../../frame/forms/field-problems.ts';
import { SaveProblem } from '../../../frame/forms/save-problem.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { ModalDialog } from '../../../kit/modal-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type Wanted, wantedAtFirst, wantedBody, wantedOf } from '../receivers/receiver.ts';
import { WantedFields } from '../receivers/wanted-fields.tsx';
import {
  type Channel,
  type ChannelKind,
  channelKinds,
  type MailDraft,
  mailBody,
  mailDraftOf,
} from './channel.ts';
import { MailFields, mailPaths } from './mail-fields.tsx';

/** What people want to hear of at first: what is wrong, not each run. */
const eventsAtFirst: Wanted['events'] = [
  'run.failing',
  'run.recovered',
  'trigger.paused',
  'job.late',
  'executor.lost',
];

const ownFields = ['name', 'url', ...mailPaths];

interface ChannelDialogProps {
  /** Null: a new one. */
  readonly channel: Channel | null;
  onSaved(channel: Channel): void;
  onClose(): void;
}

/** A channel's kind, address and what it tells of. A stored secret is never shown: an empty field keeps it. */
export function ChannelDialog({ channel, onSaved, onClose }: ChannelDialogProps): ReactNode {
  const api = useApi();
  const { admin, editor, frame } = useTexts();
  const id = useId();
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? 'email');
  const [name, setName] = useState(channel?.name ?? '');
  const [url, setUrl] = useState('');
  const [mail, setMail] = useState(() => mailDraftOf(channel));
  const [wanted, setWanted] = useState(() =>
    channel === null ? { ...wantedAtFirst, events: eventsAtFirst } : wantedOf(channel),
  );
  const isStored = channel?.email?.password != null;
  const address =
    kind === 'email' ? { email: mailBody(mail, isStored) } : url === '' ? {} : { url: url.trim() };
  const [base] = useState(channel);
  const save = useSave(kind, { name, ...wantedBody(wanted), ...address }, onSaved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(base);
  };
  return (
    <ModalDialog labelledBy={id} busy={save.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{channel?.name ?? admin.channels.new}</h2>
        {channel === null && (
          <SelectField<ChannelKind>
            label={admin.channels.kind}
            options={channelKinds.map((one) => [one, admin.channels.kinds[one]] as const)}
            value={kind}
            onChange={setKind}
          />
        )}
        <TextField
          label={admin.users.name}
          required
          autoFocus
          problems={problemsAt(save.error, 'name')}
          value={name}
          onChange={setName}
        />
        {kind === 'email' ? (
          <MailFields draft={mail} isStored={isStored} error={save.error} onChange={setMail} />
        ) : (
          <TextField
            label={admin.channels.url}
            hint={channel === null ? admin.channels.urlHints[kind] : admin.channels.stored}
            required={channel === null}
            autoComplete="off"
            problems={problemsAt(save.error, 'url')}
            value={url}
            onChange={setUrl}
          />
        )}
        <WantedFields wanted={wanted} onChange={setWanted} />
        <SaveProblem
          error={save.error}
          fields={ownFields}
          mine={{ name, ...wantedBody(wanted), ...(kind === 'email' && { email: withoutPassword(mail) }) }}
          read={(signal) =>
            api.GET('/api/notifications/channels/{id}', {
              params: { path: { id: base?.id ?? 0 } },
              signal,
            })
          }
          onKeep={(theirs) => save.mutate(theirs)}
          onTake={onSaved}
        />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button type="submit" className="button" disabled={save.isPending || wanted.events.length === 0}>
            {channel === null ? editor.create : editor.save}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}

interface ChannelBody extends ReturnType<typeof wantedBody> {
  readonly name: string;
  readonly url?: string;
  readonly email?: ReturnType<typeof mailBody>;
}

function withoutPassword(mail: MailDraft) {
  const { password: _, ...shown } = mailBody(mail, false);
  return shown;
}

function useSave(kind: ChannelKind, body: ChannelBody, onSaved: (channel: Channel) => void) {
  const api = useApi();
  const client = useQueryClient();
  const press = useRef(crypto.randomUUID());
  return useMutation({
    /** On top of this one; null: a new one. */
    mutationFn(base: Channel | null) {
      if (base === null) {
        const header = { 'Idempotency-Key': press.current };
        return api.POST('/api/notifications/channels', { params: { header }, body: { kind, ...body } });
      }
      const params = { path: { id: base.id }, header: { 'If-Match': `"${base.version}"` } };
      return api.PUT('/api/notifications/channels/{id}', { params, body });
    },
    onSuccess(saved) {
      void client.invalidateQueries({ queryKey: ['channels'] });
      onSaved(saved);
    },
    onError() {
      // What was refused is asked anew.
      press.current = crypto.randomUUID();
    },
  });
}
