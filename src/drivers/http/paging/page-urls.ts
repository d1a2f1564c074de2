import type { NextPage } from './next-page.ts';

/** The URLs of a list's pages. Few calls of `URLSearchParams`, which costs more than the rest of a small page's request. */
export class PageUrls {
  readonly #first: URL;
  /** The first URL without the parameters of further pages, ready for theirs; by their names. */
  readonly #bases = new Map<string, string>();

  constructor(first: URL) {
    this.#first = first;
  }

  /** The URL of a page after the first: its parameters take the place of the first URL's. */
  of(next: NextPage): URL {
    if ('url' in next) return next.url;
    const names = Object.keys(next.query);
    if (names.length === 0) return this.#first;
    return new URL(`${this.#baseWithout(names)}${formOf(next.query)}`);
  }

  #baseWithout(names: readonly string[]): string {
    const key = names.join('&');
    const known = this.#bases.get(key);
    if (known !== undefined) return known;
    const url = new URL(this.#first);
    url.hash = '';
    for (const name of names) url.searchParams.delete(name);
    const base = `${url.href}${url.search === '' ? '?' : '&'}`;
    this.#bases.set(key, base);
    return base;
  }
}

function formOf(query: Readonly<Record<string, string | number>>): string {
  return Object.entries(query)
    .map(([name, value]) => new URLSearchParams([[name, String(value)]]).toString())
    .join('&');
}
