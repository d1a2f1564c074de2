/**
 * Resident memory of each process of `headgate serve` after ten idle seconds, and of all, of the checkout and of the package as the image
 * starts it; limit: a `node` that does nothing.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAIN } from '../test/support/program.ts';
import { measure, median } from './support/figure.ts';
import { DEPLOYED, memoryBelow, partOf, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const idleMs = 10_000;
const rounds = 3;
const folder = workFolder();

/** Megabytes of each part, and of all. */
async function idleServer(settings: Readonly<Record<string, string>>, main?: string) {
  const server = await startServe(mkdtempSync(join(folder, 'idle-')), settings, main);
  await sleep(idleMs);
  const found = memoryBelow(server.pid);
  await server.stop();
  const all = found.reduce((sum, { rssMb }) => sum + rssMb, 0);
  return [
    ...found.map((process) => ({ part: partOf(process), rssMb: process.rssMb })),
    { part: 'all', rssMb: all },
  ];
}

const bare = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
await sleep(500);
const bareMb = memoryBelow(bare.pid ?? 0)[0]?.rssMb ?? 0;
bare.kill();

for (const [name, settings, main] of [
  ['memory', {}, undefined],
  ['memory-package', DEPLOYED, MAIN],
] as const) {
  const found = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const { part, rssMb } of await idleServer(settings, main))
      found.set(part, [...(found.get(part) ?? []), rssMb]);
  for (const [part, values] of found) {
    const rssMb = median(values);
    await measure({
      name: `${name}-${part}`,
      unit: 'MB',
      rounds: 1,
      product: async () => rssMb,
      limit: async () => bareMb,
      rssMb: () => rssMb,
    });
  }
}
