import { type ReactNode, useEffect, useRef } from 'react';

interface ModalDialogProps {
  readonly labelledBy: string;
  /** While true, Escape does not close it. */
  readonly busy: boolean;
  readonly children: ReactNode;
  onClose(): void;
}

/** The browser's own modal dialog, open while mounted. Closing it returns the focus to where it was. */
export function ModalDialog({ labelledBy, busy, children, onClose }: ModalDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element === null || element.open) return;
    element.showModal();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        if (!busy) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
