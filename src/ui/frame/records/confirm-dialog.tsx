import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { ModalDialog } from '../../kit/modal-dialog.tsx';
import { FormProblem } from '../forms/form-problem.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly confirm: string;
  readonly dismiss: string;
  readonly danger?: boolean;
  readonly action: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  readonly children: ReactNode;
  onClose(): void;
}

/** A question with its choices; it stays open, with the reason, where the server refuses. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, confirm, dismiss, danger = false, action, children, onClose } = props;
  const id = useId();
  return (
    <ModalDialog labelledBy={id} busy={action.isPending} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        <FormProblem error={action.error} />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {dismiss}
          </button>
          <button
            type="submit"
            className="button"
            data-style={danger ? 'danger' : undefined}
            disabled={action.isPending}
          >
            {confirm}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}
