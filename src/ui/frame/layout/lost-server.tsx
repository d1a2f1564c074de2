import type { ReactNode } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useConnection } from '../state/connection.ts';

/** Says above every screen that the server does not answer, as long as it does not. */
export function LostServer(): ReactNode {
  const state = useConnection();
  const { frame } = useTexts();
  return (
    <div role="status" className="lost-server" data-lost={state === 'lost' || undefined}>
      {state === 'lost' && (
        <>
          <Icon name="alert" />
          {frame.lost}
        </>
      )}
    </div>
  );
}
