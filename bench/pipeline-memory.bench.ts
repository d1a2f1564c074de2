/**
 * `pipeline-memory.bench.ts [--rows N] [--package FOLDER] [CASE ...]`: the highest resident memory of a runner that moves 10 M rows (or
 * `N`), a new one for each pipeline; limit: that for a tenth of them. `--package`: the runner of a built package (`npm run build`) in place
 * of the checkout's. Takes about a quarter of an hour, so that `npm run bench` runs it by its name alone.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './support/figure.ts';
import { fileCases } from './support/memory/file-cases.ts';
import type { MemoryCase } from './support/memory/memory-case.ts';
import { serverCases } from './support/memory/server-cases.ts';
import { peakMbOfRun } from './support/runner-run.ts';
import { workFolder } from './support/work-folder.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' }, package: { type: 'string' } },
});
const entry =
  values.package === undefined
    ? undefined
    : join(resolve(values.package), 'src/executor/runner/runner-entry.js');
const rows = Number(values.rows);
const folder = workFolder();
let runs = 0;

async function peakMb({ prepare, cleanUp }: MemoryCase, rows: number): Promise<number> {
  try {
    return await peakMbOfRun({ ...(await prepare(rows)), rows, runId: ++runs }, entry);
  } finally {
    await cleanUp();
  }
}

for (const one of [...fileCases(folder), ...serverCases(folder)]) {
  if (positionals.length > 0 && !positionals.includes(one.name)) continue;
  let mb = 0;
  await measure({
    name: `pipeline-memory(${one.name}${entry === undefined ? '' : ', package'})`,
    unit: 'MB',
    rounds: 1,
    product: async () => {
      mb = await peakMb(one, rows);
      return mb;
    },
    limit: () => peakMb(one, rows / 10),
    rssMb: () => mb,
  });
}
