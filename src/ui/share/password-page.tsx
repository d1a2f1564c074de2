import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { MessagePage } from './message-page.tsx';

interface PasswordPageProps {
  unlock(password: string): Promise<void>;
  /** Called once the server has accepted the password. */
  onUnlocked(): void;
}

/** Asks for the password of a protected link. */
export function PasswordPage({ unlock, onUnlocked }: PasswordPageProps): ReactNode {
  const id = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await unlock(password);
      onUnlocked();
    } catch (error) {
      setProblem(problemWords(error));
      // The button was disabled in the meantime, which took the keyboard focus from it.
      field.current?.select();
    } finally {
      setBusy(false);
    }
  }

  return (
    <MessagePage icon="lock" title="This dashboard is protected">
      <p>Enter the password for this link.</p>
      <form onSubmit={(event) => void submit(event)}>
        {/* Password managers store passwords by user name; this password belongs to the link, not to a person. */}
        <input type="text" name="username" autoComplete="username" value="shared dashboard" readOnly hidden />
        <label htmlFor={id}>Password</label>
        <input
          ref={field}
          id={id}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={(event) => setPassword(event.target.value)}
        />
        <button type="submit" className="button" disabled={busy}>
          {busy ? 'Opening…' : 'Open dashboard'}
        </button>
        <p id={`${id}-problem`} className="form-problem" role="alert">
          {problem}
        </p>
      </form>
    </MessagePage>
  );
}

function problemWords(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong. Try again.';
  if (error.status === 429) return `Too many attempts. ${waitWords(error.retryAfterSeconds)}`;
  if (error.status === 0 || error.status >= 500) return 'The server cannot be reached. Try again.';
  return 'Wrong password.';
}

function waitWords(seconds: number | undefined): string {
  if (seconds === undefined) return 'Try again later.';
  const minutes = Math.ceil(seconds / 60);
  return `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}
