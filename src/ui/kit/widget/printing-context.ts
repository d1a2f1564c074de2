import { createContext } from 'react';

/** Whether the page is about to be printed: what is shown in steps on a screen is on paper as a whole. */
export const PrintingContext = createContext(false);
