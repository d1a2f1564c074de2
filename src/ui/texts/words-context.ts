import { createContext, useContext } from 'react';
import type { InputWords } from './en/widgets/inputs.ts';
import { type WidgetWords, widgets } from './en/widgets/widgets.ts';

/** What dashboards say, in one language. */
export interface Words {
  readonly widgets: WidgetWords;
  /** Null: English, which comes with the inputs themselves. */
  readonly inputs: InputWords | null;
}

/** There from the start. */
export const english: Words = { widgets, inputs: null };

/** The page around a dashboard gives another language. */
export const WordsContext = createContext(english);

/** The texts of widgets and shared pages: `useWords().noData`. */
export function useWords(): WidgetWords {
  return useContext(WordsContext).widgets;
}
