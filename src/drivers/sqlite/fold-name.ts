import { type Column, ConnectorError } from '../driver.ts';

/** A name as SQLite compares names: without the case of ASCII letters, and of no others. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Throws `CONFIG` for two names that are one column: of two values for one column SQLite would keep one, in silence. */
export function requireDistinct(names: readonly string[]): void {
  const known = new Map<string, string>();
  for (const name of names) {
    const folded = foldName(name);
    const other = known.get(folded);
    if (other !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `The columns "${other}" and "${name}" differ only in case, and are one column in SQLite: rename or drop one`,
      );
    known.set(folded, name);
  }
}

export function namesOf(columns: readonly Pick<Column, 'name'>[]): readonly string[] {
  return columns.map(({ name }) => name);
}
