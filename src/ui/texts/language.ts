import type { Texts } from './en/texts.ts';

/** Every language of the page, by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'headgate.language';

/** The chosen language, else the first of the browser's that the page has, else English. */
export function firstLanguage(preferred: readonly string[]): Language {
  const known = [stored(), ...preferred].map((tag) => tag?.split('-')[0] ?? '');
  return known.find(isLanguage) ?? 'en';
}

/** How numbers and dates are written: the browser's region, where it is one of the page's language. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.split('-')[0] === language) ?? language;
}

/** Fetches the texts of one language. Each is a file of its own. */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return (await import('./en/texts.ts')).texts;
    case 'de':
      return (await import('./de/texts.ts')).texts;
    default:
      return language satisfies never;
  }
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Storage may be denied or full: the choice then lasts until the page is closed.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag);
}
