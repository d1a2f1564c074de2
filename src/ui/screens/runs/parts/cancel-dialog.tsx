import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { ChoiceList } from '../../../frame/records/choice-list.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import type { ScriptCall } from '../../../kit/script-call.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

export type CancelMode = 'graceful' | 'force';

interface CancelDialogProps {
  cancel(mode: CancelMode): Promise<unknown>;
  script(mode: CancelMode): ScriptCall;
  onDone(): void;
  onClose(): void;
}

/** How a run is to end. */
export function CancelDialog({ cancel, script, onDone, onClose }: CancelDialogProps): ReactNode {
  const texts = useTexts().runs.cancelRun;
  const [mode, setMode] = useState<CancelMode>('graceful');
  const action = useMutation({
    mutationFn: () => cancel(mode),
    onSuccess() {
      onDone();
      onClose();
    },
  });
  const choices = [
    { value: 'graceful', label: texts.graceful, hint: texts.gracefulHint },
    { value: 'force', label: texts.force, hint: texts.forceHint },
  ] as const;
  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.confirm}
      dismiss={texts.keep}
      danger
      action={action}
      onClose={onClose}
    >
      <ChoiceList<CancelMode> legend={texts.title} choices={choices} value={mode} onChange={setMode} />
      <ScriptSection calls={[script(mode)]} />
    </ConfirmDialog>
  );
}
