import type { ClientBase } from 'pg';
import { randomHex } from '../../../base/ids.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { deleteIn, type LoadSession, updateFrom } from '../../sql/load/load-session.ts';
import { ownTablePrefix } from '../introspect.ts';

export function pgSession(client: ClientBase): LoadSession {
  const change = async (sql: string) => (await client.query(sql)).rowCount ?? 0;
  return {
    change,
    count: async (sql) => Number((await client.query<{ n: string }>(sql)).rows[0]?.n ?? 0),
    keep: async (query) => {
      const name = quoteIdentifier(`${ownTablePrefix}kept_${randomHex(6)}`);
      await client.query(`CREATE TEMPORARY TABLE ${name} ON COMMIT DROP AS ${query}`);
      return `pg_temp.${name}`;
    },
    changeBy: (by) => change(updateFrom(by)),
    deleteBy: (tables) => change(deleteIn(tables)),
    moment: (text) => `'${text}'`,
  };
}
