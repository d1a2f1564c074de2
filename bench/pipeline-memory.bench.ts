/**
 * `pipeline-memory.bench.ts [CASE ...]`: the highest resident memory of a runner that moves 10 M rows, a new one for each pipeline; limit:
 * that for 1 M rows. Takes about a quarter of an hour, so that `npm run bench` runs it by its name alone.
 */
import { parseArgs } from 'node:util';
import { measure } from './support/figure.ts';
import { fileCases } from './support/memory/file-cases.ts';
import type { MemoryCase } from './support/memory/memory-case.ts';
import { serverCases } from './support/memory/server-cases.ts';
import { peakMbOfRun } from './support/runner-run.ts';
import { workFolder } from './support/work-folder.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' } },
});
const rows = Number(values.rows);
const folder = workFolder();
let runs = 0;

async function peakMb({ prepare, cleanUp }: MemoryCase, rows: number): Promise<number> {
  try {
    return await peakMbOfRun({ ...(await prepare(rows)), rows, runId: ++runs });
  } finally {
    await cleanUp();
  }
}

for (const one of [...fileCases(folder), ...serverCases(folder)]) {
  if (positionals.length > 0 && !positionals.includes(one.name)) continue;
  let mb = 0;
  await measure({
    name: `pipeline-memory(${one.name})`,
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
