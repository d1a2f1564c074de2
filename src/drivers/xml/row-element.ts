import type { XmlConfig } from './config.ts';

/** An element as the parser meets it. */
export interface ElementName {
  readonly local: string;
  readonly uri: string;
}

/** Says which elements are rows. */
export class RowElement {
  readonly #path: readonly { readonly local: string; readonly uri: string | null }[];

  constructor({ records, namespaces }: Pick<XmlConfig, 'records' | 'namespaces'>) {
    this.#path = records.split('/').map((name) => {
      const [prefix, local] = name.includes(':') ? name.split(':') : [null, name];
      return { local: local ?? '', uri: prefix === null ? null : (namespaces[prefix ?? ''] ?? '') };
    });
  }

  /** The element that the whole text must be, as it was configured; null where rows are found at any depth. */
  get root(): string | null {
    const [first, second] = this.#path;
    return second === undefined ? null : (first?.local ?? null);
  }

  /** `open`: the elements from the root down to the one in question. */
  matches(open: readonly ElementName[]): boolean {
    const isAnywhere = this.#path.length === 1;
    if (!isAnywhere && open.length !== this.#path.length) return false;
    const from = open.length - this.#path.length;
    return this.#path.every(({ local, uri }, index) => {
      const found = open[from + index];
      return found?.local === local && (uri === null || found.uri === uri);
    });
  }
}
