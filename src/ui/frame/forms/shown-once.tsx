import { type ReactNode, useId } from 'react';
import { ModalDialog } from '../../kit/modal-dialog.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { CopyButton } from './copy-button.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly hint: string;
  readonly secret: string;
  onClose(): void;
}

/** A secret that nobody can read again, to copy now. */
export function ShownOnce({ title, hint, secret, onClose }: ShownOnceProps): ReactNode {
  const id = useId();
  const { frame } = useTexts();
  return (
    <ModalDialog labelledBy={id} busy={false} onClose={onClose}>
      <div className="stack">
        <h2 id={id}>{title}</h2>
        <p>{hint}</p>
        <code className="code-block">{secret}</code>
        <div className="dialog-buttons">
          <CopyButton text={secret} />
          <button type="button" className="button" onClick={onClose}>
            {frame.close}
          </button>
        </div>
      </div>
    </ModalDialog>
  );
}
