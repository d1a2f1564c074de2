import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import type { PaletteProps } from './palette.tsx';
import { useTypedMeanwhile } from './typed-meanwhile.ts';

/** Opens the palette, as Ctrl-K or Cmd-K do from everywhere. It is fetched when it is first opened. */
export function PaletteButton({ onOpen }: { onOpen(): void }): ReactNode {
  const { palette } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const Palette = usePalette(isOpen, setOpen);
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
        Palette !== null &&
        // Beside the page: on a narrow screen the menu around the button is closed.
        createPortal(<Palette takeTyped={takeTyped} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}

/** The palette once it is fetched. Where it cannot be, the screen stays with what is typed into it, and the frame says why. */
function usePalette(wanted: boolean, want: (isWanted: boolean) => void): ComponentType<PaletteProps> | null {
  const [made, setMade] = useState<{ readonly Palette: ComponentType<PaletteProps> } | null>(null);
  useEffect(() => {
    if (!wanted || made !== null) return;
    import('./palette.tsx').then(setMade, () => want(false));
  }, [wanted, made, want]);
  return made?.Palette ?? null;
}
