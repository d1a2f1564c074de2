import { type ReactNode, useEffect } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { usePageFiles, usePageOutdated } from '../state/page-files.ts';

const storageKey = 'headgate.reloaded-at';
const againMs = 30_000;

/**
 * In place of a screen whose file could not be fetched. After an update of the server the page is loaded anew at this address, since the
 * screen before has been left; not twice in a row, in case the file is missing for another reason.
 */
export function MissingScreen(): ReactNode {
  const { frame } = useTexts();
  const files = usePageFiles();
  const outdated = usePageOutdated();
  useEffect(() => {
    if (!outdated) return;
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < againMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    window.location.reload();
  }, [outdated]);
  // Browsers remember a file that could not be fetched; only a new page asks for it again.
  const retry = async () => {
    if (await files.check()) window.location.reload();
  };
  return (
    <div className="problem" role="alert">
      <Icon name="alert" size={20} />
      <div>
        <p className="problem-title">{frame.missing}</p>
        <p>{frame.missingHint}</p>
        <button type="button" className="button" data-style="secondary" onClick={() => void retry()}>
          {frame.retry}
        </button>
      </div>
    </div>
  );
}
