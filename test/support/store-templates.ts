import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/logger.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';
import type { PostgresAdmin } from './postgres.ts';

const STORE_ROOM = join(import.meta.dirname, '../../src/store');
/** Of PostgreSQL's advisory locks: who holds it makes the template. */
const TEMPLATE_LOCK = 7_242_001;
const DAY_MS = 86_400_000;

/** Files of a migrated, empty SQLite store called `state.db`: made by the first process that asks, as migrating takes far longer than copying. */
export async function sqliteTemplate(): Promise<string[]> {
  const folder = join(tmpdir(), `headgate-test-template-${schemaKey()}`);
  if (!existsSync(folder)) {
    const own = mkdtempSync(`${folder}-`);
    await migrate({ kind: 'localdb', path: join(own, 'state.db') });
    try {
      renameSync(own, folder);
    } catch {
      // Another process was faster.
      rmSync(own, { recursive: true });
    }
  }
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Name of a migrated, empty database of this server, made by the first process that asks: one a day, since it has partitions of its day. */
export async function postgresTemplate(admin: PostgresAdmin): Promise<string> {
  const name = `headgate_template_${schemaKey()}_d${Math.floor(Date.now() / DAY_MS)}`;
  const isThere = async () =>
    (await admin.query(`SELECT FROM pg_database WHERE datname = '${name}'`)).rowCount === 1;
  if (await isThere()) return name;
  await admin.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`);
  try {
    if (await isThere()) return name;
    await admin.query(`DROP DATABASE IF EXISTS "${name}_new"`);
    await admin.query(`CREATE DATABASE "${name}_new"`);
    await migrate({ kind: 'serverdb', url: admin.urlOf(`${name}_new`), poolMax: 1 });
    await admin.query(`ALTER DATABASE "${name}_new" RENAME TO "${name}"`);
  } finally {
    await admin.query(`SELECT pg_advisory_unlock(${TEMPLATE_LOCK})`);
  }
  return name;
}

async function migrate(settings: StateSettings): Promise<void> {
  await (await openStore(settings, silentLogger)).close();
}

/** Another one for each state of the code that makes the schema. */
function schemaKey(): string {
  const hash = createHash('sha256');
  for (const file of globSync('**/*.{ts,json}', { cwd: STORE_ROOM }).sort())
    hash.update(readFileSync(join(STORE_ROOM, file)));
  return hash.digest('hex').slice(0, 12);
}
