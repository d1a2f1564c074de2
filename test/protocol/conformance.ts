import type { Test } from 'tap';
import { batchScenarios } from './conformance/batches.ts';
import { holderScenarios } from './conformance/holders.ts';
import { registrationScenarios } from './conformance/registration.ts';
import type { Binding, Check } from './conformance/scenario.ts';
import { sessionScenarios } from './conformance/session.ts';
import { unaryScenarios } from './conformance/unary.ts';
import { MemoryControlPlane } from './support/memory-control-plane.ts';
import { REGISTER_REQUEST } from './support/samples.ts';

/** Everything that any binding of the executor contract promises; every binding's test calls it with its own server. */
export function conformance(t: Test, binding: Binding): void {
  const scenario = (guarantee: string, check: Check) =>
    t.test(`${binding.name}: ${guarantee}`, async (t) => {
      const plane = new MemoryControlPlane();
      const server = await binding.serve(plane);
      const client = server.client();
      try {
        await client.register(REGISTER_REQUEST);
        await check(t, plane, client, server);
      } finally {
        await client.close();
        await server.stop();
      }
      t.equal(plane.listeners(), 0, 'no listener is left behind');
    });

  registrationScenarios(scenario);
  sessionScenarios(scenario);
  batchScenarios(scenario);
  unaryScenarios(scenario);
  holderScenarios(scenario);
}
