/**
 * From `headgate serve` with a new store to a ready control plane, worker host and executor, of the checkout and of the package as it is
 * published; limit: `node` that starts and ends.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../test/support/program.ts';
import { measure, secondsOf } from './support/figure.ts';
import { runTool } from './support/run-tool.ts';
import { DEPLOYED, nodeMemoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const folder = workFolder();
const limit = async () => 1_000 * (await secondsOf(() => runTool(process.execPath, ['-e', ''])));

for (const [name, settings, main] of [
  ['cold-start', {}, undefined],
  ['cold-start-package', DEPLOYED, MAIN],
] as const) {
  let rssMb = 0;
  const product = async () => {
    const server = await startServe(mkdtempSync(join(folder, 'start-')), settings, main);
    rssMb = nodeMemoryBelow(server.pid);
    await server.stop();
    return server.readyMs;
  };
  await measure({ name, unit: 'ms', product, limit, rssMb: () => rssMb });
}
