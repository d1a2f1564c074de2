import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Texts } from './en/texts.ts';
import { type Language, loadTexts, localeOf, rememberLanguage } from './language.ts';
import { WordsContext } from './words-context.ts';

export interface Catalogue {
  readonly language: Language;
  /** BCP 47, for numbers, dates and sorting. */
  readonly locale: string;
  readonly texts: Texts;
  /** Loads another language, shows it and keeps the choice. */
  choose(language: Language): Promise<void>;
}

const CatalogueContext = createContext<Catalogue | null>(null);

interface TextsProviderProps {
  readonly first: Language;
  readonly firstTexts: Texts;
  readonly children: ReactNode;
}

/** Gives the whole page its texts. A language that is chosen is declared to the browser; the first one is by the caller. */
export function TextsProvider({ first, firstTexts, children }: TextsProviderProps): ReactNode {
  const [shown, setShown] = useState({ language: first, texts: firstTexts });
  const catalogue = useMemo(
    () => ({
      ...shown,
      locale: localeOf(shown.language, navigator.languages),
      async choose(language: Language) {
        const texts = await loadTexts(language);
        // Before anything is drawn anew: numbers and dates are written as the page's language says.
        document.documentElement.lang = language;
        setShown({ language, texts });
        rememberLanguage(language);
      },
    }),
    [shown],
  );
  return (
    <CatalogueContext.Provider value={catalogue}>
      <WordsContext.Provider value={shown.texts}>{children}</WordsContext.Provider>
    </CatalogueContext.Provider>
  );
}

export function useCatalogue(): Catalogue {
  const catalogue = useContext(CatalogueContext);
  if (catalogue === null) throw new Error('There is no TextsProvider around this component');
  return catalogue;
}

/** The texts of the language that is shown: `useTexts().runs.title`. */
export function useTexts(): Texts {
  return useCatalogue().texts;
}
