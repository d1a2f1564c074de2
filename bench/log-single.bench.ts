/** One line per message over gRPC, 16 executors, each line acknowledged after its commit (SQLite); limit: batches of 100. */
import { join } from 'node:path';
import { measure } from './support/figure.ts';
import { executors, sampleLines, startLogPlane } from './support/log-plane.ts';
import { workFolder } from './support/work-folder.ts';

const messages = 5_000;
const batches = 200;
const folder = workFolder();
const plane = await startLogPlane(folder, { SVC_STATE_PATH: join(folder, 'state.db') });

async function linesPerSecond(
  count: number,
  linesPerMessage: number,
  batchesAtOnce: number,
): Promise<number> {
  const lines = sampleLines(linesPerMessage);
  const { seconds } = await plane.load({ binding: 'grpc', batches: count, lines, batchesAtOnce });
  return (executors * count * linesPerMessage) / seconds;
}

try {
  await measure({
    name: 'log-ingest-single',
    unit: 'lines/s',
    product: () => linesPerSecond(messages, 1, 256),
    limit: () => linesPerSecond(batches, 100, 16),
  });
} finally {
  await plane.stop();
}
