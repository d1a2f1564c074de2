/** A control plane without an executor, in a process of its own: configured by the environment, tells its parent where it is. */
import { startControlPlane } from '../../src/app/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { loadConfig } from '../../src/config.ts';

export interface PlaneAnswer {
  readonly grpcAddress: string;
}

const loaded = loadConfig();
if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
const app = await startControlPlane({
  config: loaded.config,
  clock: systemClock,
  logger: silentLogger,
  version: '0.0.0',
});
process.send?.({ grpcAddress: app.grpcAddress } satisfies PlaneAnswer);
process.on('message', async () => {
  await app.stop();
  process.disconnect();
});
