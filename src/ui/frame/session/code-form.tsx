import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { FormProblem } from '../forms/form-problem.tsx';
import { TextField } from '../forms/text-field.tsx';
import { useApi } from '../state/api-context.ts';

interface CodeFormProps {
  /** Whether a recovery code may take the place of the app's. */
  readonly canRecover: boolean;
  onDone(): void;
  onRestart(): void;
}

/** The second step: a code of the authenticator app, or a recovery code. */
export function CodeForm({ canRecover, onDone, onRestart }: CodeFormProps): ReactNode {
  const api = useApi();
  const { signIn } = useTexts();
  const [code, setCode] = useState('');
  const [recovers, setRecovers] = useState(false);
  const verify = useMutation({
    mutationFn: () => api.POST('/api/auth/verify-totp', { body: { code: code.trim() } }),
    meta: { isSignIn: true },
    onSuccess: onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  const swap = () => {
    setRecovers(!recovers);
    setCode('');
    verify.reset();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        key={String(recovers)}
        label={recovers ? signIn.recoveryCode : signIn.code}
        hint={recovers ? signIn.recoveryHint : signIn.codeHint}
        autoComplete="one-time-code"
        inputMode={recovers ? 'text' : 'numeric'}
        autoFocus
        required
        value={code}
        onChange={setCode}
      />
      <FormProblem error={verify.error} />
      <button type="submit" className="button" disabled={verify.isPending}>
        {verify.isPending ? signIn.busy : signIn.next}
      </button>
      <div className="stack-links">
        {canRecover && (
          <button type="button" className="text-button" onClick={swap}>
            {recovers ? signIn.useApp : signIn.useRecovery}
          </button>
        )}
        <button type="button" className="text-button" onClick={onRestart}>
          {signIn.otherAccount}
        </button>
      </div>
    </form>
  );
}
