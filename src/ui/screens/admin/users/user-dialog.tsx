import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { problemsAt } from '../../../frame/forms/field-problems.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { ShownOnce } from '../../../frame/forms/shown-once.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import type { Role } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { ModalDialog } from '../../../kit/modal-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import { useAssignableRoles } from './new-user-dialog.tsx';
import { SessionList } from './session-list.tsx';
import type { User } from './user.ts';

const ownFields = ['name', 'email'];
const verbs = ['endSessions', 'unlock', 'resetPassword', 'resetTotp', 'remove'] as const;
type UserVerb = (typeof verbs)[number];

interface UserDialogProps {
  readonly user: User;
  onClose(): void;
}

/** A user's name, role and state, and what helps them to sign in again. */
export function UserDialog({ user, onClose }: UserDialogProps): ReactNode {
  const { admin } = useTexts();
  const [asked, setAsked] = useState<UserVerb | null>(null);
  const [password, setPassword] = useState<string | null>(null);
  if (password !== null) {
    const hint = admin.users.passwordHint(user.email, `${location.origin}/sign-in`);
    return <ShownOnce title={admin.users.newPassword} hint={hint} secret={password} onClose={onClose} />;
  }
  if (asked !== null)
    return (
      <VerbDialog
        user={user}
        verb={asked}
        onPassword={setPassword}
        onDone={onClose}
        onClose={() => setAsked(null)}
      />
    );
  return <UserForm user={user} onAsk={setAsked} onClose={onClose} />;
}

function UserForm({ user, onAsk, onClose }: UserDialogProps & { onAsk(verb: UserVerb): void }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, frame, editor } = useTexts();
  const id = useId();
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const [role, setRole] = useState(user.role as Role);
  const [status, setStatus] = useState(user.status as 'active' | 'disabled');
  const assignable = useAssignableRoles();
  const choices = assignable.includes(user.role as Role) ? assignable : [...assignable, user.role as Role];
  const save = useMutation({
    mutationFn: () =>
      api.PUT('/api/users/{id}', {
        params: { path: { id: user.id } },
        body: {
          ...(name !== user.name && { name }),
          ...(email !== user.email && { email }),
          ...(role !== user.role && { role }),
          ...(status !== user.status && { status }),
        },
      }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['users'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <ModalDialog labelledBy={id} busy={save.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{user.name}</h2>
        <TextField
          label={admin.users.name}
          required
          problems={problemsAt(save.error, 'name')}
          value={name}
          onChange={setName}
        />
        <TextField
          label={admin.users.email}
          type="email"
          required
          problems={problemsAt(save.error, 'email')}
          value={email}
          onChange={setEmail}
        />
        <SelectField<Role>
          label={admin.users.role}
          hint={admin.roleHints[role] ?? ''}
          options={choices.map((one) => [one, wordOf(admin.roles, one)] as const)}
          value={role}
          onChange={setRole}
        />
        <SelectField<'active' | 'disabled'>
          label={admin.users.status}
          hint={admin.users.statusHint}
          options={[
            ['active', admin.users.active],
            ['disabled', admin.users.disabled],
          ]}
          value={status}
          onChange={setStatus}
        />
        <div className="stack-links">
          {verbs.map((verb) => (
            <button key={verb} type="button" className="text-button" onClick={() => onAsk(verb)}>
              {admin.users.verbs[verb]}
            </button>
          ))}
        </div>
        <FormProblem error={save.error} fields={ownFields} />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button type="submit" className="button" disabled={save.isPending}>
            {editor.save}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}

interface VerbDialogProps extends UserDialogProps {
  readonly verb: UserVerb;
  onPassword(password: string): void;
  onDone(): void;
}

function VerbDialog({ user, verb, onPassword, onDone, onClose }: VerbDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, frame } = useTexts();
  const params = { path: { id: user.id } };
  const action = useMutation({
    async mutationFn(): Promise<string | null> {
      switch (verb) {
        case 'endSessions':
          await api.POST('/api/users/{id}/end-sessions', { params });
          return null;
        case 'unlock':
          await api.POST('/api/users/{id}/unlock', { params });
          return null;
        case 'resetTotp':
          await api.POST('/api/users/{id}/reset-totp', { params });
          return null;
        case 'resetPassword':
          return (await api.POST('/api/users/{id}/reset-password', { params })).password;
        case 'remove':
          await api.DELETE('/api/users/{id}', { params });
          return null;
        default:
          return verb satisfies never;
      }
    },
    onSuccess(password) {
      void client.invalidateQueries({ queryKey: ['users'] });
      if (password === null) onDone();
      else onPassword(password);
    },
  });
  return (
    <ConfirmDialog
      title={`${admin.users.verbs[verb]}: ${user.name}`}
      confirm={admin.users.verbs[verb]}
      dismiss={frame.cancel}
      danger={verb === 'remove'}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{admin.users.verbHints[verb]}</p>
      {verb === 'endSessions' && <SessionList userId={user.id} />}
    </ConfirmDialog>
  );
}
