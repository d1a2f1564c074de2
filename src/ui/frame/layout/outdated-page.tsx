import type { ReactNode } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { usePageOutdated } from '../state/page-files.ts';

/** Says above every screen that the server has a newer page. It is loaded when the reader asks for it: a form may hold what is not saved. */
export function OutdatedPage(): ReactNode {
  const outdated = usePageOutdated();
  const { frame } = useTexts();
  return (
    <div role="status" className="outdated-page" data-outdated={outdated || undefined}>
      {outdated && (
        <>
          <Icon name="alert" />
          <span>{frame.outdated}</span>
          <button
            type="button"
            className="button"
            data-style="secondary"
            onClick={() => window.location.reload()}
          >
            {frame.reload}
          </button>
        </>
      )}
    </div>
  );
}
