import type { Problem } from '../../base/errors.ts';

const SEARCH_CHARS_MAX = 200;

/** What a viewer searches for, without the spaces around it; null for nothing. */
export function searchText(search: string | null): string | null {
  const text = search?.trim() ?? '';
  return text === '' ? null : text;
}

/** Why a search cannot be made, if so. `offered`: whether the widget's author has allowed it. */
export function searchProblems(text: string | null, offered: boolean): readonly Problem[] {
  if (text === null) return [];
  if (!offered) return [searchProblem('This widget offers no search')];
  if (text.length <= SEARCH_CHARS_MAX) return [];
  return [searchProblem(`The text to search for has more than ${SEARCH_CHARS_MAX} characters`)];
}

export function searchProblem(message: string): Problem {
  return { path: 'search', message };
}
