import { usePaletteAction } from './palette-actions.ts';

interface PaletteActionProps {
  readonly label: string;
  run(): void;
}

/** Offers in the palette what a button does; stands beside it, under the same conditions. */
export function PaletteAction({ label, run }: PaletteActionProps): null {
  usePaletteAction({ label, run });
  return null;
}
