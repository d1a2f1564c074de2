import type { ClientBase } from 'pg';
import type { LoadSession } from '../../sql/load/load-session.ts';

export function pgSession(client: ClientBase): LoadSession {
  return {
    change: async (sql, params = []) => (await client.query(sql, [...params])).rowCount ?? 0,
    count: async (sql) => Number((await client.query<{ n: string }>(sql)).rows[0]?.n ?? 0),
  };
}
