import { ConnectorError } from '../driver.ts';

/** Longest name of a table or column, in characters; engines with shorter names say so themselves. */
export const identifierCharsMax = 255;

/**
 * A name as SQL, in double quotes; the only way that a name gets into a statement. Throws `CONFIG` for a name that no
 * engine has: empty, too long, or with a zero character.
 */
export function quoteIdentifier(name: string): string {
  if (name === '' || name.length > identifierCharsMax || name.includes('\0')) {
    throw new ConnectorError('CONFIG', `"${name.slice(0, 60)}" is not a name of a table or column`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteList(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(', ');
}

/**
 * Parts of a table's name as people write it: `contacts`, `public.contacts`, `"a.b"."c"` (a doubled quote inside quotes is
 * one). Throws `CONFIG` when it is none of these, or has more than two parts.
 */
export function splitTableName(text: string): { readonly schema: string | null; readonly name: string } {
  const parts: string[] = [];
  const part = /(?:"((?:[^"]|"")*)"|([^".]+))(\.|$)/y;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) break;
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') break;
  }
  const [first, second] = parts;
  const whole = part.lastIndex === text.length && !text.endsWith('.');
  if (first === undefined || first === '' || second === '' || parts.length > 2 || !whole) {
    throw new ConnectorError(
      'CONFIG',
      `"${text.slice(0, 80)}" is not the name of a table; write "table" or "schema.table"`,
    );
  }
  return second === undefined ? { schema: null, name: first } : { schema: first, name: second };
}
