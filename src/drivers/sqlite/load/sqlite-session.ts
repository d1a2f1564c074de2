import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { LoadSession } from '../../sql/load/load-session.ts';

export function sqliteSession(db: DatabaseSync): LoadSession {
  return {
    change: async (sql, params = []) => Number(db.prepare(sql).run(...(params as SQLInputValue[])).changes),
    count: async (sql) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0),
  };
}
