export type Theme = 'light' | 'dark';
/** `system`: the theme that the system has, now and later. */
export type ThemeChoice = Theme | 'system';

/** The current theme, and its switch. Without a choice it follows the system's theme. */
export interface ThemeStore {
  current(): Theme;
  choice(): ThemeChoice;
  choose(choice: ThemeChoice): void;
  /** To the other theme; the system's own clears the choice. */
  toggle(): void;
  subscribe(listener: () => void): () => void;
}

const storageKey = 'headgate.theme';

/** Keeps the choice in the browser's storage. */
export function createThemeStore(root: HTMLElement): ThemeStore {
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  systemDark.addEventListener('change', tell);

  const system = (): Theme => (systemDark.matches ? 'dark' : 'light');
  const choice = (): ThemeChoice => {
    const chosen = root.dataset['theme'];
    return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
  };
  const current = (): Theme => {
    const chosen = choice();
    return chosen === 'system' ? system() : chosen;
  };
  const choose = (next: ThemeChoice) => {
    if (next === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = next;
    remember(next === 'system' ? null : next);
    tell();
  };

  return {
    current,
    choice,
    choose,
    toggle() {
      const next: Theme = current() === 'dark' ? 'light' : 'dark';
      choose(next === system() ? 'system' : next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function remember(theme: Theme | null): void {
  try {
    if (theme === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage may be denied or full: the choice then lasts until the page is closed.
  }
}
