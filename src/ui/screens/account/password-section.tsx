import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormProblem } from '../../frame/forms/form-problem.tsx';
import { TextField } from '../../frame/forms/text-field.tsx';
import { useSession } from '../../frame/session/session.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** Changes the password, which ends every session: the page then starts anew at the sign-in. */
export function PasswordSection(): ReactNode {
  const api = useApi();
  const session = useSession();
  const { account } = useTexts();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => api.POST('/api/auth/password', { body: { current, new: next } }),
    onSuccess() {
      session.remember(false);
      location.assign('/sign-in');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <section className="panel" aria-labelledby="account-password">
      <h2 id="account-password">{account.password}</h2>
      <form className="stack narrow" onSubmit={submit}>
        <TextField
          label={account.currentPassword}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={setCurrent}
        />
        <TextField
          label={account.newPassword}
          hint={account.passwordHint}
          type="password"
          autoComplete="new-password"
          required
          value={next}
          onChange={setNext}
        />
        <FormProblem error={change.error} />
        <button type="submit" className="button" disabled={change.isPending}>
          {account.changePassword}
        </button>
      </form>
    </section>
  );
}
