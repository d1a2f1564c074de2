import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { silentLogger } from '../../../src/base/logger.ts';
import { loadConfig } from '../../../src/config.ts';
import type { Identify } from '../../../src/http/guard.ts';
import { type App, createHttpServer } from '../../../src/http/server.ts';
import type { MetricPoint } from '../../../src/metering/backend.ts';
import { registerCallbackRoutes } from '../../../src/modules/executor-callbacks/callback-routes.ts';
import {
  type ExecutorKeyEvents,
  registerExecutorRoutes,
} from '../../../src/modules/executors/executor-routes.ts';
import type { ControlPlane } from '../../../src/protocol/control-plane.ts';
import { fingerprintOf } from '../../../src/protocol/executor-key.ts';
import type { HttpClientLimits } from '../../../src/protocol/http-client/http-client-limits.ts';
import { createHttpClient } from '../../../src/protocol/http-client.ts';
import type { Binding, BoundServer } from '../conformance/scenario.ts';
import { startRelay } from './relay.ts';

export const KEY = 'executor-key-of-the-tests-0123456789';
const LOOPBACK = '127.0.0.1';

const byKey: Identify = {
  member: async () => null,
  executor: async (request) =>
    request.headers.authorization === `Bearer ${KEY}`
      ? { type: 'executor', name: 'executor', key: fingerprintOf(KEY) }
      : null,
};

/** The executor's routes alone, over any control plane, on the real HTTP server. */
export async function httpApp(
  controlPlane: ControlPlane,
  points: MetricPoint[] = [],
  settings: Readonly<Record<string, string>> = {},
  keys: ExecutorKeyEvents = { isRevokedKey: () => false, onChange: () => () => undefined },
): Promise<App> {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null', ...settings });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
  const app = await createHttpServer(loaded.config, silentLogger, byKey);
  await registerExecutorRoutes(app, controlPlane, keys);
  await registerCallbackRoutes(app, {
    controlPlane,
    storePoints: async (given) => void points.push(...given),
  });
  await app.ready();
  return app;
}

export const pem = (name: string) =>
  readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

/** A server that ends TLS before the application, as a proxy does; `clientCa` asks clients for a certificate. */
export async function listenWithTls(
  app: App,
  clientCa?: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const asked = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  const tls = { cert: pem('server'), key: pem('server-key'), ...asked };
  const handle: RequestListener = (request, reply) => void app.routing(request, reply);
  const server = createTlsServer(tls, handle);
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return {
    port: address.port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await app.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listenPlainly(app: App): Promise<{ port: number; close(): Promise<void> }> {
  const address = new URL(await app.listen({ host: LOOPBACK, port: 0 }));
  return { port: Number(address.port), close: () => app.close() };
}

function httpBinding(name: string, secure: boolean): Binding {
  return {
    name,
    async serve(controlPlane): Promise<BoundServer> {
      const app = await httpApp(controlPlane);
      const server = await (secure ? listenWithTls(app) : listenPlainly(app));
      const between = await startRelay(server.port);
      const limits: Partial<HttpClientLimits> = { waitMs: 5_000, pauseMs: 50 };
      return {
        key: KEY,
        client: (key = KEY) =>
          secure
            ? createHttpClient({
                baseUrl: `https://localhost:${between.port}`,
                key,
                limits,
                tls: { ca: pem('ca') },
              })
            : createHttpClient({ baseUrl: `http://${LOOPBACK}:${between.port}`, key, limits }),
        breakConnections: between.breakAll,
        async stop() {
          await server.close();
          await between.close();
        },
      };
    },
  };
}

export const plainHttpBinding = httpBinding('HTTP', false);
export const secureHttpBinding = httpBinding('HTTPS', true);
