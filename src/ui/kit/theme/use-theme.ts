import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Theme, ThemeChoice, ThemeStore } from './theme-store.ts';

export const ThemeContext = createContext<ThemeStore | null>(null);

/** The current theme; re-renders when it changes. */
export function useTheme(): { readonly theme: Theme; toggle(): void } {
  const store = useThemeStore();
  return { theme: useSyncExternalStore(store.subscribe, store.current), toggle: store.toggle };
}

/** What was chosen; re-renders when it changes. */
export function useThemeChoice(): { readonly choice: ThemeChoice; choose(choice: ThemeChoice): void } {
  const store = useThemeStore();
  return { choice: useSyncExternalStore(store.subscribe, store.choice), choose: store.choose };
}

function useThemeStore(): ThemeStore {
  const store = useContext(ThemeContext);
  if (store === null) throw new Error('There is no ThemeContext around this component');
  return store;
}
