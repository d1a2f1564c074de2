import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { usePaletteAction } from '../../palette/palette-actions.ts';

interface FormatButtonProps {
  /** The text was not valid when it was to be formatted. */
  readonly isRefused: boolean;
  format(): void;
}

/** Formats the text, as its keys in the editor and its entry in the palette do. */
export function FormatButton({ isRefused, format }: FormatButtonProps): ReactNode {
  const { editor } = useTexts();
  usePaletteAction({ label: editor.formatText, keys: editor.formatKeys, run: format });
  return (
    <>
      <button
        type="button"
        className="button"
        data-style="secondary"
        title={`${editor.formatText} (${editor.formatKeys})`}
        onClick={format}
      >
        {editor.format}
      </button>
      <span className="field-hint" role="status">
        {isRefused && editor.notFormatted}
      </span>
    </>
  );
}
