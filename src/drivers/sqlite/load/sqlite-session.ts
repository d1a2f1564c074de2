import type { DatabaseSync } from 'node:sqlite';
import { randomHex } from '../../../base/ids.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { deleteIn, type LoadSession, updateFrom } from '../../sql/load/load-session.ts';
import { ownTablePrefix } from '../introspect.ts';

export function sqliteSession(db: DatabaseSync): LoadSession {
  const change = async (sql: string) => Number(db.prepare(sql).run().changes);
  return {
    change,
    count: async (sql) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0),
    keep: async (query) => {
      const name = quoteIdentifier(`${ownTablePrefix}kept_${randomHex(6)}`);
      db.exec(`CREATE TEMPORARY TABLE ${name} AS ${query}`);
      return name;
    },
    changeBy: (by) => change(updateFrom(by)),
    deleteBy: (tables) => change(deleteIn(tables)),
    moment: (text) => `'${text}'`,
  };
}
