/** Yes and no, as values of data are written in each language of the page. */
export const answers = { en: ['Yes', 'No'], de: ['Ja', 'Nein'] } as const;
