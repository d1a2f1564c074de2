import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type FleetSettings, LoadFleet } from '../../bench/support/load-fleet.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createFirstUser } from '../../src/commands/demo/first-user.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { CrashServer, EXECUTOR_KEY, type Settings } from './crash-server.ts';
import { createDatabase } from './postgres.ts';
import type { StoreKind } from './stores.ts';

/** A lease is short enough here that a test sees it lapse: 2 s, and 4 s of grace. */
export const LEASE_TTL_MS = 2_000;

export interface FaultWorld {
  readonly kind: StoreKind;
  readonly folder: string;
  /** What the simulated executors saw. */
  readonly records: string;
  readonly servers: readonly CrashServer[];
  /** Of the first server, as its superadmin. */
  readonly api: ApiClient;
  readonly apiKey: string;
  apiOf(server: CrashServer): ApiClient;
  readonly state: StateSettings;
  /** Of the localdb metrics backend. */
  readonly metricsPath: string;
  /** A fleet of simulated executors against all servers; stopped when the test ends. */
  fleet(settings: Pick<FleetSettings, 'seed' | 'processes'> & Partial<FleetSettings>): LoadFleet;
  /** The store, opened beside the servers; closed when the test ends. */
  openStore(): Promise<Store>;
}

export interface WorldOptions {
  readonly kind?: StoreKind;
  readonly servers?: number;
  readonly settings?: Settings;
  /** Of a PostgreSQL that the test has made itself. */
  readonly url?: string;
}

/** Control planes on one new store, started and set up, whom a test may kill. */
export async function startWorld(t: Test, options: WorldOptions = {}): Promise<FaultWorld> {
  const { servers: count = 1, settings = {} } = options;
  const kind = options.url === undefined ? (options.kind ?? 'sqlite') : 'postgres';
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-faults-'));
  const url = options.url ?? (kind === 'postgres' ? (await createDatabase(t)).url : null);
  const given = {
    SVC_TEST_LEASE_TTL_MS: String(LEASE_TTL_MS),
    ...(url === null ? {} : { SVC_STATE_URL: url }),
    ...settings,
  };
  if (process.env['KEEP'] === undefined)
    t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const servers: CrashServer[] = [];
  for (let index = 0; index < count; index++) {
    const place = join(folder, `server-${index}`);
    mkdirSync(place);
    servers.push(await CrashServer.prepare(t, place, given));
  }
  const [first] = servers;
  if (first === undefined) throw new Error('no server');
  await first.mustStart();
  if (first.setupToken === null) throw new Error('the server printed no setup token');
  const { apiKey } = await createFirstUser(first.url, first.setupToken);
  // Each start on a store without a user makes a new setup token.
  for (const server of servers.slice(1)) await server.mustStart();
  const apiOf = (server: CrashServer) => createApiClient({ baseUrl: server.url, key: apiKey });
  const state: StateSettings =
    url === null
      ? { kind: 'localdb', path: settings['SVC_STATE_PATH'] ?? join(folder, 'server-0', 'state.db') }
      : { kind: 'serverdb', url, poolMax: 4 };
  return {
    kind,
    folder,
    records: join(folder, 'records'),
    servers,
    api: apiOf(first),
    apiKey,
    apiOf,
    state,
    metricsPath: settings['SVC_METRICS_PATH'] ?? join(folder, 'server-0', 'metrics.db'),
    fleet(of) {
      const addresses = servers.map((server) => server.grpcAddress);
      const fleet = new LoadFleet({ addresses, key: EXECUTOR_KEY, folder: join(folder, 'records'), ...of });
      t.teardown(() => fleet.stop(0));
      return fleet;
    },
    async openStore() {
      const store = await openStore(state, silentLogger);
      t.teardown(() => store.close());
      return store;
    },
  };
}
