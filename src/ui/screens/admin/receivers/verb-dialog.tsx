import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Receiver } from './receiver.ts';

interface VerbDialogProps {
  readonly receiver: Pick<Receiver, 'id' | 'name' | 'enabled'>;
  readonly verb: 'toggle' | 'remove';
  /** Of all receivers of its kind. */
  readonly queryKey: readonly [string];
  /** What follows, in words. Default: those of what is sent. */
  readonly hints?: { readonly removeHint: string; readonly enableHint: string; readonly disableHint: string };
  toggle(): Promise<unknown>;
  remove(): Promise<unknown>;
  /** Goes away from a receiver that is deleted. */
  leave(): Promise<void>;
  onClose(): void;
}

/** Asks before a receiver is enabled, disabled or deleted. */
export function VerbDialog(props: VerbDialogProps): ReactNode {
  const { receiver, verb, queryKey, onClose } = props;
  const client = useQueryClient();
  const { admin, editor, frame } = useTexts();
  const { id, name, enabled } = receiver;
  const action = useMutation({
    mutationFn: () => (verb === 'remove' ? props.remove() : props.toggle()),
    async onSuccess() {
      if (verb === 'toggle') onClose();
      else {
        // What is read of it is forgotten once nothing shows it any more.
        await props.leave();
        client.removeQueries({ queryKey: [...queryKey, id] });
      }
      void client.invalidateQueries({ queryKey });
    },
  });
  const { enable, disable } = admin.receivers;
  const { removeHint, enableHint, disableHint } = props.hints ?? admin.receivers;
  const [label, hint] =
    verb === 'remove'
      ? [editor.verbs.remove, removeHint]
      : enabled
        ? [disable, disableHint]
        : [enable, enableHint];
  return (
    <ConfirmDialog
      title={`${label}: ${name}`}
      confirm={label}
      dismiss={frame.cancel}
      danger={verb === 'remove'}
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{hint}</p>
    </ConfirmDialog>
  );
}
