import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane } from '../src/app/app.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { loadConfig } from '../src/config.ts';
import { version } from '../src/version.ts';
import type { RouteEntry } from './support/watched-http.ts';
import { watchHttp } from './support/watched-http.ts';

export interface DescribedApi {
  /** The OpenAPI document, as `openapi.json` at the top of the repository holds it. */
  readonly text: string;
  readonly routes: readonly RouteEntry[];
}

/** What a control plane says of itself as it starts. */
export async function describeApi(): Promise<DescribedApi> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-openapi-'));
  try {
    const loaded = loadConfig({
      SVC_CONFIG_FILE: '/dev/null',
      SVC_STATE_PATH: join(folder, 'state.db'),
      SVC_METRICS_PATH: join(folder, 'metrics.db'),
      SVC_HTTP_PORT: '0',
      SVC_EXECUTOR_EMBEDDED: 'false',
    });
    if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
    let routes: readonly RouteEntry[] = [];
    const app = await startControlPlane({
      config: loaded.config,
      clock: systemClock,
      logger: silentLogger,
      version,
      watchHttp(http) {
        ({ routes } = watchHttp(http));
      },
    });
    try {
      const answer = await fetch(`${app.httpAddress}/api/openapi.json`);
      return { text: `${JSON.stringify(await answer.json(), null, 2)}\n`, routes };
    } finally {
      await app.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
