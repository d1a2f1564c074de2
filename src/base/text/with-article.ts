/** Words that are spoken with a vowel at first: `an excel`, `an http`, `an xml`; but `a unified_api`. */
const VOWEL = /^(?:[aeio]|http|xml)/i;

/** A word, such as a connector's type, after `A` or `An`. */
export function withArticle(word: string): string {
  return `${VOWEL.test(word) ? 'An' : 'A'} ${word}`;
}
