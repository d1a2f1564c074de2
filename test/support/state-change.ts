import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { StateSettings } from '../../src/store/open-store.ts';

/** How long another process may be writing. */
const LOCK_MS_MAX = 5_000;

/** One statement on a state store: what would take a clock hours. */
export async function changeState(state: StateSettings, statement: string): Promise<void> {
  if (state.kind === 'localdb') {
    const database = new DatabaseSync(state.path, { timeout: LOCK_MS_MAX });
    database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: state.url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
