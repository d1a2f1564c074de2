import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { isNamed, oneIn } from './fault-list.ts';
import { createDatabase } from './postgres.ts';
import { seeded } from './seed.ts';
import { postgresTemplate, sqliteTemplate } from './store-templates.ts';

export const STORE_KINDS = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/** Where a whole server of the tests keeps its state, unless a test says: `HEADGATE_TEST_STORE`, SQLite by default. */
export const DEFAULT_STORE_KIND = defaultKind(process.env['HEADGATE_TEST_STORE'] ?? 'sqlite');

const poolMax = 4;

/** Where a new store of this kind is, with the schema and nothing in it: a file, or a database, that goes away with the test. */
export async function storeSettings(t: Test, kind: StoreKind): Promise<StateSettings> {
  if (kind === 'postgres') return serverdb(await createDatabase(t, postgresTemplate));
  const folder = newFolder(t);
  for (const file of await sqliteTemplate()) copyFileSync(file, join(folder, basename(file)));
  return { kind: 'localdb', path: join(folder, 'state.db') };
}

/** Where there is no store yet. */
export async function emptyStoreSettings(t: Test, kind: StoreKind): Promise<StateSettings> {
  if (kind === 'postgres') return serverdb(await createDatabase(t));
  return { kind: 'localdb', path: join(newFolder(t), 'state.db') };
}

function serverdb({ url }: { readonly url: string }): StateSettings {
  return { kind: 'serverdb', url, poolMax };
}

/** A real store, with the schema and nothing in it; closed when the test ends. */
export async function openTestStore(t: Test, kind: StoreKind): Promise<Store> {
  const store = await openStore(await storeSettings(t, kind), silentLogger);
  t.teardown(() => store.close());
  return store;
}

/**
 * Which kinds of store a case is for: both in the long list and where its file or folder is named, as whoever changes it does. A whole
 * `npm test` draws one for each case, others at each run.
 */
export function drawnKinds(t: Test): readonly StoreKind[] {
  return isNamed ? STORE_KINDS : seeded(t).someOf(STORE_KINDS, oneIn(STORE_KINDS.length, 1));
}

/** A test per kind of store, of `drawnKinds`, each with a store of its own: what holds must hold over every dialect. */
export async function eachStore(
  t: Test,
  guarantee: string,
  prove: (t: Test, store: Store) => Promise<void>,
): Promise<void> {
  for (const kind of drawnKinds(t)) {
    await t.test(`${guarantee} (${kind})`, async (t) => prove(t, await openTestStore(t, kind)));
  }
}

function defaultKind(given: string): StoreKind {
  const kind = STORE_KINDS.find((known) => known === given);
  if (kind === undefined)
    throw new Error(`HEADGATE_TEST_STORE is "${given}": set it to ${STORE_KINDS.join(' or ')}`);
  return kind;
}

/** Not `t.testdir()`, which a test may want for itself: its second call empties it. */
function newFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-store-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
