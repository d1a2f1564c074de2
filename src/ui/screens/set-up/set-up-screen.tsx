import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormProblem } from '../../frame/forms/form-problem.tsx';
import { TextField } from '../../frame/forms/text-field.tsx';
import { LonePage } from '../../frame/layout/lone-page.tsx';
import { CodeForm } from '../../frame/session/code-form.tsx';
import { type Enrolment, EnrolmentView } from '../../frame/session/enrolment-view.tsx';
import { useSession } from '../../frame/session/session.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';

/** The first start: the first account, its second factor, and into the page. */
export function SetUpScreen(): ReactNode {
  const { setUp } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  if (enrolment === null) {
    return (
      <LonePage title={setUp.title}>
        <p>{setUp.intro}</p>
        <AccountForm onDone={setEnrolment} />
      </LonePage>
    );
  }
  const enter = () => {
    session.remember(true);
    void navigate({ to: '/', replace: true });
  };
  return (
    <LonePage title={setUp.secondStep}>
      <EnrolmentView enrolment={enrolment} />
      <h2>{setUp.codeTitle}</h2>
      <CodeForm canRecover={false} onDone={enter} onRestart={() => void navigate({ to: '/sign-in' })} />
    </LonePage>
  );
}

function AccountForm({ onDone }: { onDone(enrolment: Enrolment): void }): ReactNode {
  const api = useApi();
  const { setUp, signIn } = useTexts();
  // The address that the server prints has it behind the `#`.
  const [given] = useState(() => location.hash.slice(1));
  const [account, setAccount] = useState({ token: given, name: '', email: '', password: '' });
  const create = useMutation({
    mutationFn: async () => {
      const { email, password } = account;
      const enrolment = await api.POST('/api/auth/setup', { body: account });
      await api.POST('/api/auth/login', { body: { email, password } });
      return enrolment;
    },
    meta: { isSignIn: true },
    onSuccess: onDone,
  });
  const field = (key: keyof typeof account) => ({
    value: account[key],
    onChange: (value: string) => setAccount((was) => ({ ...was, [key]: value })),
    required: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      {given === '' && (
        <TextField label={setUp.token} hint={setUp.tokenHint} autoComplete="off" {...field('token')} />
      )}
      <TextField label={setUp.name} autoComplete="name" {...field('name')} />
      <TextField label={setUp.email} type="email" autoComplete="username" {...field('email')} />
      <TextField
        label={setUp.password}
        hint={setUp.passwordHint}
        type="password"
        autoComplete="new-password"
        {...field('password')}
      />
      <FormProblem error={create.error} />
      <button type="submit" className="button" disabled={create.isPending}>
        {create.isPending ? signIn.busy : setUp.create}
      </button>
    </form>
  );
}
