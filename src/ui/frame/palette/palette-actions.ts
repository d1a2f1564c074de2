import { createContext, useContext, useEffect, useRef } from 'react';

/** What the screen that is shown can do. */
export interface PaletteAction {
  readonly label: string;
  /** Its keys, as they stand on a keyboard; absent where it has none. */
  readonly keys?: string | undefined;
  run(): void;
}

/** The actions of what is shown; the palette reads them when it is opened. */
export const PaletteActionsContext = createContext<Set<PaletteAction> | null>(null);

/** Offers an action in the palette while the caller is shown. */
export function usePaletteAction({ label, keys, run }: PaletteAction): void {
  const actions = useContext(PaletteActionsContext);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const action = { label, keys, run: () => latest.current() };
    actions?.add(action);
    return () => void actions?.delete(action);
  }, [actions, label, keys]);
}
