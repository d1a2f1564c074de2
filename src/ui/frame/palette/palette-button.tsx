import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useTypedMeanwhile } from './typed-meanwhile.ts';

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));

/** Opens the palette, as Ctrl-K or Cmd-K do from everywhere. It is fetched when it is first opened. */
export function PaletteButton({ onOpen }: { onOpen(): void }): ReactNode {
  const { palette } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const takeTyped = useTypedMeanwhile(isOpen, () => setOpen(false));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // Not over a question that waits for its answer.
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className="palette-button"
        onClick={() => {
          onOpen();
          setOpen(true);
        }}
      >
        <Icon name="search" />
        <span>{palette.open}</span>
        <kbd>{palette.key}</kbd>
      </button>
      {isOpen &&
        // Beside the page: on a narrow screen the menu around the button is closed.
        createPortal(
          <Suspense fallback={null}>
            <Palette takeTyped={takeTyped} onClose={() => setOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}
