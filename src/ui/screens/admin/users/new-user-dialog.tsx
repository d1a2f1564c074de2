import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { problemsAt } from '../../../frame/forms/field-problems.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { ShownOnce } from '../../../frame/forms/shown-once.tsx';
import { nameCharsMax, TextField } from '../../../frame/forms/text-field.tsx';
import { type Role, roles } from '../../../frame/session/role.ts';
import { meQuery } from '../../../frame/session/session.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { ModalDialog } from '../../../kit/modal-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

const passwordBytes = 12;
const ownFields = ['email', 'name'];

/** A new user with a password that is made here and shown once; they enrol an authenticator at their first sign-in. */
export function NewUserDialog({ onClose }: { onClose(): void }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, frame } = useTexts();
  const id = useId();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [password] = useState(randomPassword);
  const assignable = useAssignableRoles();
  const create = useMutation({
    mutationFn: () => api.POST('/api/users', { body: { email, name, role, password } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['users'] }),
  });
  if (create.isSuccess) {
    const hint = admin.users.passwordHint(email, `${location.origin}/sign-in`);
    return <ShownOnce title={admin.users.made} hint={hint} secret={password} onClose={onClose} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <ModalDialog labelledBy={id} busy={create.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{admin.users.new}</h2>
        <TextField
          label={admin.users.email}
          type="email"
          required
          autoFocus
          problems={problemsAt(create.error, 'email')}
          value={email}
          onChange={setEmail}
        />
        <TextField
          label={admin.users.name}
          required
          maxLength={nameCharsMax}
          problems={problemsAt(create.error, 'name')}
          value={name}
          onChange={setName}
        />
        <SelectField<Role>
          label={admin.users.role}
          hint={admin.roleHints[role]}
          options={assignable.map((one) => [one, admin.roles[one]] as const)}
          value={role}
          onChange={setRole}
        />
        <FormProblem error={create.error} fields={ownFields} />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button type="submit" className="button" disabled={create.isPending}>
            {admin.users.create}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}

/** Below one's own, or every one for a superadmin: the server refuses the rest. */
export function useAssignableRoles(): readonly Role[] {
  const own = useQuery(meQuery(useApi())).data?.role as Role | undefined;
  if (own === 'superadmin') return roles;
  return roles.slice(0, own === undefined ? 1 : roles.indexOf(own));
}

function randomPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(passwordBytes));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
