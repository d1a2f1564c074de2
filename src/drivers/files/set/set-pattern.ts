import { ConnectorError, type Row } from '../../driver.ts';
import { partitionText } from './partition-value.ts';

const PLACEHOLDER = /\{([^{}]*)\}/g;
const PART = 'part';
const PART_DIGITS = 5;
/** Characters in the fixed text of a pattern that would mean something else where its files are looked for. */
const SPECIAL = /[*?[\]\\{}]/;

function refused(object: string, why: string): ConnectorError {
  return new ConnectorError('CONFIG', `The pattern "${object}" ${why}`);
}

/**
 * The names of the files of a load that makes several, such as `events/day={day}/{part}.csv`: `{column}` is the value of a column, and
 * `{part}` counts the files that have the same values.
 */
export class SetPattern {
  readonly object: string;
  /** The folders with which every name begins, with a `/` at the end; empty for none. */
  readonly folder: string;
  /** The columns in the names, each once. */
  readonly columns: readonly string[];
  /** Those whose folder says their name (`day={day}/`): readers find them there, so the files do not have them. */
  readonly folderColumns: ReadonlySet<string>;
  readonly hasParts: boolean;
  /** Finds all files of the set, and maybe others: see `owns`. */
  readonly glob: string;
  readonly #segments: readonly string[];
  readonly #owned: RegExp;

  private constructor(object: string) {
    this.object = object;
    this.#segments = object.split(PLACEHOLDER);
    const names = this.#segments.filter((_, index) => index % 2 === 1);
    this.columns = [...new Set(names.filter((name) => name !== PART))];
    this.hasParts = names.includes(PART);
    const folders = object.split('/').slice(0, -1);
    const fixed = folders.findIndex((folder) => folder.includes('{'));
    this.folder = (fixed === -1 ? folders : folders.slice(0, fixed)).map((folder) => `${folder}/`).join('');
    this.folderColumns = new Set(this.columns.filter((name) => folders.includes(`${name}={${name}}`)));
    this.glob = this.#joined(
      (text) => text,
      () => '*',
    );
    const part = `(?:[0-9a-f]{8}-)?\\d{${PART_DIGITS},}`;
    this.#owned = new RegExp(`^${this.#joined(RegExp.escape, (name) => (name === PART ? part : '[^/]+'))}$`);
  }

  /** Null for the plain name of one file. Throws `CONFIG` for a pattern that leads nowhere. */
  static of(object: string): SetPattern | null {
    if (!/\{[^{}]*\}/.test(object)) return null;
    const pattern = new SetPattern(object);
    const [fixed, names] = [0, 1].map((rest) => pattern.#segments.filter((_, index) => index % 2 === rest));
    if (names?.some((name) => name.trim() === '')) throw refused(object, 'has braces without a column');
    if (fixed?.some((text) => SPECIAL.test(text)))
      throw refused(object, 'may hold braces around columns and "part" alone, and none of * ? [ ] \\');
    const parts = object.split('/');
    if (parts.some((name) => name === '' || name.startsWith('.')))
      throw refused(object, "must name files from the connector's folder on, none of them hidden");
    return pattern;
  }

  /** Whether a file that `glob` finds has a name as this pattern makes them. */
  owns(name: string): boolean {
    return this.#owned.test(name);
  }

  /** The values of these columns as parts of a name, in the order of `columns`. Throws `DATA`. */
  valuesOf(row: Row): string[] {
    return this.columns.map((name) => partitionText(name, row[name]));
  }

  /** `part` counts from 1; `stamp` keeps files of different loads apart, and is empty where a load replaces those of others. */
  nameOf(values: readonly string[], part: number, stamp: string): string {
    const number = `${stamp === '' ? '' : `${stamp}-`}${String(part).padStart(PART_DIGITS, '0')}`;
    return this.#joined(
      (text) => text,
      (name) => (name === PART ? number : (values[this.columns.indexOf(name)] ?? '')),
    );
  }

  #joined(ofText: (text: string) => string, ofName: (name: string) => string): string {
    return this.#segments.map((text, index) => (index % 2 === 0 ? ofText(text) : ofName(text))).join('');
  }
}
