import type { ReactNode } from 'react';
import { problemsAt } from '../../../frame/forms/field-problems.ts';
import { LinesField } from '../../../frame/forms/lines-field.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type MailDraft, usualPorts } from './channel.ts';

interface MailFieldsProps {
  readonly draft: MailDraft;
  /** Whether a password is stored. */
  readonly isStored: boolean;
  /** Of the last attempt to save. */
  readonly error: Error | null;
  onChange(draft: MailDraft): void;
}

/** Those whose problems are shown here, as the API names them. */
export const mailPaths = ['email.host', 'email.port', 'email.username', 'email.password', 'email.from'];

/** The mail server, its sign-in, sender and receivers. */
export function MailFields({ draft, isStored, error, onChange }: MailFieldsProps): ReactNode {
  const { channels } = useTexts().admin;
  const set = (change: Partial<MailDraft>) => onChange({ ...draft, ...change });
  const chooseSecurity = (security: MailDraft['security']) => {
    const isUsual = draft.port === usualPorts[draft.security];
    set({ security, ...(isUsual && { port: usualPorts[security] }) });
  };
  return (
    <>
      <TextField
        label={channels.host}
        required
        problems={problemsAt(error, 'email.host')}
        value={draft.host}
        onChange={(host) => set({ host: host.trim() })}
      />
      <SelectField
        label={channels.security}
        options={Object.keys(usualPorts).map((one) => {
          const security = one as MailDraft['security'];
          return [security, channels.securities[security]] as const;
        })}
        value={draft.security}
        onChange={chooseSecurity}
      />
      <TextField
        label={channels.port}
        required
        inputMode="numeric"
        problems={problemsAt(error, 'email.port')}
        value={draft.port}
        onChange={(port) => set({ port: port.replaceAll(/\D/g, '') })}
      />
      <TextField
        label={channels.username}
        hint={channels.usernameHint}
        autoComplete="off"
        problems={problemsAt(error, 'email.username')}
        value={draft.username}
        onChange={(username) => set({ username })}
      />
      {draft.username !== '' && (
        <TextField
          label={channels.password}
          type="password"
          autoComplete="new-password"
          required={!isStored}
          {...(isStored && { hint: channels.stored })}
          problems={problemsAt(error, 'email.password')}
          value={draft.password}
          onChange={(password) => set({ password })}
        />
      )}
      <TextField
        label={channels.from}
        type="email"
        required
        problems={problemsAt(error, 'email.from')}
        value={draft.from}
        onChange={(from) => set({ from })}
      />
      <LinesField
        label={channels.to}
        hint={channels.toHint}
        rows={2}
        required
        value={draft.to}
        onChange={(to) => set({ to })}
      />
      <details>
        <summary>{channels.ca}</summary>
        <LinesField
          label={channels.ca}
          hint={channels.caHint}
          rows={4}
          value={draft.ca}
          onChange={(ca) => set({ ca })}
        />
      </details>
    </>
  );
}
