import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type ControlPlaneApp, startControlPlane } from '../../src/app/app.ts';
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import { loadConfig } from '../../src/config.ts';
import type { StateSettings } from '../../src/store/open-store.ts';
import { version } from '../../src/version.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { DEFAULT_STORE_KIND, type StoreKind, storeSettings } from './stores.ts';
import { type SignedIn, setUp, Visitor } from './visitor.ts';
import { type WatchedHttp, watchHttp } from './watched-http.ts';

const ENCRYPTION_KEY = '9f4c1e7ab03d58e2f61c7d90ab34ef12';
export const EXECUTOR_KEY = 'c83f0be1d5a94727b6e2f40918ad63c7';

/** The whole control plane, as `serve` starts it, without an executor. */
export interface FullApp extends WatchedHttp {
  readonly plane: ControlPlaneApp;
  readonly clock: TestClock;
  /** Somebody with a browser: keeps cookies, and sends the origin. */
  visitor(address?: string): Visitor;
  withToken(token: string): Visitor;
  /** Sets the server up, and is the signed-in first superadmin. */
  superadmin(): Promise<SignedIn>;
}

/** Starts the control plane on free ports over a new store; stopped when the test ends. */
export async function startFullApp(
  t: Test,
  kind: StoreKind | StateSettings = DEFAULT_STORE_KIND,
  settings: Readonly<Record<string, string>> = {},
  logger: Logger = silentLogger,
): Promise<FullApp> {
  const config = configOf(await stateOf(t, kind), newFolder(t), settings);
  const clock = createTestClock(Date.now());
  const watched: { http: WatchedHttp | null } = { http: null };
  const plane = await startControlPlane({
    config,
    clock,
    logger,
    version,
    watchHttp(http) {
      watched.http = watchHttp(http);
    },
  });
  t.teardown(() => plane.stop());
  if (watched.http === null) throw new Error('the control plane made no HTTP server');
  const { http } = watched.http;
  return {
    ...watched.http,
    plane,
    clock,
    visitor: (address) => new Visitor(http, {}, address),
    withToken: (token) => new Visitor(http, { authorization: `Bearer ${token}` }),
    superadmin: () => setUp(http, plane.setupToken, clock),
  };
}

async function stateOf(t: Test, kind: StoreKind | StateSettings): Promise<Record<string, string>> {
  const state = typeof kind === 'string' ? await storeSettings(t, kind) : kind;
  return state.kind === 'localdb' ? { SVC_STATE_PATH: state.path } : { SVC_STATE_URL: state.url };
}

function configOf(state: Record<string, string>, folder: string, settings: Readonly<Record<string, string>>) {
  const loaded = loadConfig({
    ...state,
    SVC_HTTP_PORT: '0',
    SVC_METRICS_PATH: join(folder, 'metrics.db'),
    SVC_EXECUTOR_EMBEDDED: 'false',
    SVC_EXECUTOR_KEY: EXECUTOR_KEY,
    SVC_ENCRYPTION_KEY: ENCRYPTION_KEY,
    SVC_RATE_LIMIT_PER_MINUTE: '1000000',
    ...settings,
  });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
  return loaded.config;
}

function newFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-app-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
