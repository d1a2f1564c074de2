import { ConnectorError } from '../../../driver.ts';
import type { TableName } from '../../introspect.ts';
import type { MysqlClient } from '../../mysql-client.ts';

/** https://dev.mysql.com/doc/refman/8.4/en/identifier-length.html */
const NAME_CHARS_MAX = 64;
/** Names are in three bytes of UTF-8. */
const HIGH_PLANES = /[\ud800-\udfff]/;

/** Throws `CONFIG` for names that a table of the server cannot have, and for those that it takes for one. */
export function requireColumnNames(names: readonly string[]): void {
  const folded = new Map<string, string>();
  for (const name of names) {
    requireName('column', name);
    const other = folded.get(name.toLowerCase());
    if (other !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `The columns "${other}" and "${name}" are one to MySQL, which ignores case in their names: rename one of them`,
      );
    folded.set(name.toLowerCase(), name);
  }
}

function requireName(what: 'column' | 'table', name: string): void {
  const problem = problemOf(name);
  if (problem === null) return;
  throw new ConnectorError('CONFIG', `The ${what} "${name}" cannot be one of MySQL: ${problem}; rename it`);
}

function problemOf(name: string): string | null {
  if (name.length > NAME_CHARS_MAX)
    return `its name has ${name.length} characters, and may have ${NAME_CHARS_MAX}`;
  if (HIGH_PLANES.test(name)) return 'its name has a character beyond U+FFFF, such as an emoji';
  return name.endsWith(' ') ? 'its name ends with a blank' : null;
}

/**
 * Throws `CONFIG` for a name of a table that the server cannot have, and where it ignores case in them, for one that is not written as the
 * server has it: two names that differ in case alone are one table there.
 */
export async function requireTableName(client: MysqlClient, { database, name }: TableName): Promise<void> {
  requireName('table', name);
  if (name === name.toLowerCase()) return;
  const { rows } = await client.query('SELECT @@lower_case_table_names');
  const folds = Number(rows[0]?.[0]);
  if (folds === 0) return;
  const found = await client.execute(
    'SELECT table_name FROM information_schema.tables WHERE table_schema = ? AND table_name = ?',
    [database, name],
  );
  const there = found.rows[0]?.[0] ?? (folds === 1 ? name.toLowerCase() : name);
  if (there === name) return;
  throw new ConnectorError(
    'CONFIG',
    `The server ignores case in names of tables: write "${String(there)}" instead of "${name}"`,
  );
}
