/** Resident memory of each process of `headgate serve` after ten idle seconds, and of all; limit: a `node` that does nothing. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { measure } from './support/figure.ts';
import { memoryBelow, partOf, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const idleMs = 10_000;

const server = await startServe(workFolder());
await sleep(idleMs);
const found = memoryBelow(server.pid).map((process) => ({ name: partOf(process), rssMb: process.rssMb }));
await server.stop();

const bare = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
await sleep(500);
const bareMb = memoryBelow(bare.pid ?? 0)[0]?.rssMb ?? 0;
bare.kill();

const all = found.reduce((sum, { rssMb }) => sum + rssMb, 0);
for (const { name, rssMb } of [...found, { name: 'all', rssMb: all }]) {
  await measure({
    name: `memory-${name}`,
    unit: 'MB',
    rounds: 1,
    product: async () => rssMb,
    limit: async () => bareMb,
    rssMb: () => rssMb,
  });
}
