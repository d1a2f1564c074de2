import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Theme, ThemeStore } from './theme-store.ts';

export const ThemeContext = createContext<ThemeStore | null>(null);

/** The current theme; re-renders when it changes. */
export function useTheme(): { readonly theme: Theme; toggle(): void } {
  const store = useContext(ThemeContext);
  if (store === null) throw new Error('There is no ThemeContext around this component');
  return { theme: useSyncExternalStore(store.subscribe, store.current), toggle: store.toggle };
}
