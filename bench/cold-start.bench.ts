/** From `headgate serve` with a new store to a ready control plane, worker host and executor; limit: `node` that starts and ends. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { measure, secondsOf } from './support/figure.ts';
import { runTool } from './support/run-tool.ts';
import { memoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const folder = workFolder();
let rssMb = 0;

async function product(): Promise<number> {
  const server = await startServe(mkdtempSync(join(folder, 'start-')));
  rssMb = memoryBelow(server.pid).reduce((sum, found) => sum + found.rssMb, 0);
  await server.stop();
  return server.readyMs;
}

const limit = async () => 1_000 * (await secondsOf(() => runTool(process.execPath, ['-e', ''])));

await measure({ name: 'cold-start', unit: 'ms', product, limit, rssMb: () => rssMb });
