import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';
import { useWords } from '../texts/words-context.ts';
import { MessagePage } from './message-page.tsx';

interface PasswordPageProps {
  unlock(password: string): Promise<void>;
  /** Called once the server has accepted the password. */
  onUnlocked(): void;
}

/** Asks for the password of a protected link. */
export function PasswordPage({ unlock, onUnlocked }: PasswordPageProps): ReactNode {
  const words = useWords();
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
      setProblem(problemWords(error, words));
      // The button was disabled in the meantime, which took the keyboard focus from it.
      field.current?.select();
    } finally {
      setBusy(false);
    }
  }

  return (
    <MessagePage icon="lock" title={words.share.protected}>
      <p>{words.share.enterPassword}</p>
      <form onSubmit={(event) => void submit(event)}>
        {/* Password managers store passwords by user name; this password belongs to the link, not to a person. */}
        <input type="text" name="username" autoComplete="username" value="shared dashboard" readOnly hidden />
        <label htmlFor={id}>{words.share.password}</label>
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
          {busy ? words.share.opening : words.share.open}
        </button>
        <p id={`${id}-problem`} className="form-problem" role="alert">
          {problem}
        </p>
      </form>
    </MessagePage>
  );
}

function problemWords(error: unknown, { share: words }: WidgetWords): string {
  if (!(error instanceof ApiError)) return words.somethingWrong;
  if (error.status === 429) return words.tooMany(waitWords(error.retryAfterSeconds, words));
  if (error.status === 0 || error.status >= 500) return words.unreachable;
  return words.wrongPassword;
}

function waitWords(seconds: number | undefined, words: WidgetWords['share']): string {
  return seconds === undefined ? words.later : words.againIn(Math.ceil(seconds / 60));
}
