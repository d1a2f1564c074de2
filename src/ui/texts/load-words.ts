import type { Words } from './words-context.ts';

/**
 * The words of a page without a catalogue of its own, in the first of the browser's languages that there is: German is fetched, English
 * is there. The page's language is declared to the browser.
 */
export async function loadWords(preferred: readonly string[]): Promise<Words | null> {
  const language = preferred.map((tag) => tag.split('-')[0]).find((tag) => tag === 'en' || tag === 'de');
  if (language !== 'de') return null;
  // Without them the page is in English rather than not at all.
  const words = await import('./de/widgets/words.ts').then(({ words }) => words).catch(() => null);
  if (words !== null) document.documentElement.lang = language;
  return words;
}
