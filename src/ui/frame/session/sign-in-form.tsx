import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { FormProblem } from '../forms/form-problem.tsx';
import { TextField } from '../forms/text-field.tsx';
import { useApi } from '../state/api-context.ts';
import { CodeForm } from './code-form.tsx';
import { type Enrolment, EnrolmentView } from './enrolment-view.tsx';
import { useSession } from './session.ts';

interface SignInFormProps {
  /** Called when the full session is there. */
  onDone(): void;
}

type Step = { readonly name: 'password' } | { readonly name: 'code'; readonly enrolment: Enrolment | null };

/** Both steps of a sign-in: email and password, then a code. A user without TOTP is enrolled between the two. */
export function SignInForm({ onDone }: SignInFormProps): ReactNode {
  const session = useSession();
  const [step, setStep] = useState<Step>({ name: 'password' });
  if (step.name === 'password') {
    return <PasswordForm onDone={(enrolment) => setStep({ name: 'code', enrolment })} />;
  }
  const verified = () => {
    session.remember(true);
    session.reportRenewal();
    onDone();
  };
  const restart = () => setStep({ name: 'password' });
  return (
    <>
      {step.enrolment && <EnrolmentView enrolment={step.enrolment} />}
      <CodeForm canRecover={step.enrolment === null} onDone={verified} onRestart={restart} />
    </>
  );
}

function PasswordForm({ onDone }: { onDone(enrolment: Enrolment | null): void }): ReactNode {
  const api = useApi();
  const { signIn } = useTexts();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => api.POST('/api/auth/login', { body: { email, password } }),
    // A wrong password is no end of a session.
    meta: { isSignIn: true },
    onSuccess: ({ totp_enrolment }) => onDone(totp_enrolment ?? null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={signIn.email}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={setEmail}
      />
      <TextField
        label={signIn.password}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      <FormProblem error={login.error} />
      <button type="submit" className="button" disabled={login.isPending}>
        {login.isPending ? signIn.busy : signIn.next}
      </button>
    </form>
  );
}
