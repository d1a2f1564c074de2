import type { Test } from 'tap';
import type { HttpClientLimits } from '../../../src/protocol/http-client/http-client-limits.ts';
import { createHttpClient } from '../../../src/protocol/http-client.ts';
import { httpApp, KEY } from './http-binding.ts';
import { MemoryControlPlane } from './memory-control-plane.ts';

/** A server over a control plane in memory, and a client of it. */
export async function startHttpClient(t: Test, limits: Partial<HttpClientLimits> = {}) {
  const plane = new MemoryControlPlane();
  const app = await httpApp(plane);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const client = createHttpClient({ baseUrl: url, key: KEY, limits: { pauseMs: 50, ...limits } });
  t.teardown(async () => {
    await client.close();
    await app.close();
  });
  return { plane, app, url, client };
}

/** A run that an executor has been assigned. */
export async function leasedTo(plane: MemoryControlPlane, executor_id: number) {
  const run = plane.enqueue();
  await plane.claim({ executor_id, session_token: '' }, 1);
  return run;
}
