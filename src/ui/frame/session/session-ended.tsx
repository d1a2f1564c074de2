import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ModalDialog } from '../../kit/modal-dialog.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useSessionEnded } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Over any screen when its session ends: what was typed stays beneath it. */
export function SessionEnded(): ReactNode {
  const ended = useSessionEnded();
  const client = useQueryClient();
  const { frame } = useTexts();
  if (!ended) return null;
  return (
    <ModalDialog labelledBy="session-ended" busy onClose={() => undefined}>
      <div className="stack">
        <h2 id="session-ended">{frame.sessionEnded}</h2>
        <p>{frame.sessionEndedHint}</p>
        <SignInForm onDone={() => void client.invalidateQueries()} />
      </div>
    </ModalDialog>
  );
}
