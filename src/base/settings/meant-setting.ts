import { suggestName } from '../text/suggest-name.ts';

/** Names that one hint has. */
const MEANT_MAX = 3;

/**
 * What to do about a variable that is no setting: the one that is spelt almost so, else the shortest of those that have all of its words,
 * as SVC_HTTP_PORT has that of SVC_PORT.
 */
export function meantSetting(name: string, known: readonly string[]): string {
  const spelt = suggestName(name, known);
  const meant = spelt === null ? withWordsOf(name, known) : [spelt];
  if (meant.length === 0) return '`headgate serve --help` lists them';
  return `did you mean ${meant.join(' or ')}?`;
}

function withWordsOf(name: string, known: readonly string[]): readonly string[] {
  const words = name.split('_').filter(Boolean);
  // What all names begin with tells nothing.
  if (words.length < 2) return [];
  return known
    .filter((one) => words.every((word) => one.split('_').includes(word)))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, MEANT_MAX);
}
