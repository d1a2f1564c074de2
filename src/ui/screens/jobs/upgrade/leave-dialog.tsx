import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

/** Asks before the page is left in the middle of upgrades. */
export function LeaveDialog({ isBusy }: { readonly isBusy: boolean }): ReactNode {
  const { jobs } = useTexts();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isBusy,
    enableBeforeUnload: isBusy,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={jobs.many.leaveTitle}
      confirm={jobs.many.leave}
      dismiss={jobs.many.stay}
      action={{ isPending: false, error: null, mutate: proceed }}
      onClose={reset}
    >
      <p>{jobs.many.leaveHint}</p>
    </ConfirmDialog>
  );
}
