/** How long the acknowledgement of a batch of 100 lines takes while 16 executors send half of what the server can take. */
import { join } from 'node:path';
import { measure, median } from './support/figure.ts';
import type { LogLoadAnswer } from './support/log-load.ts';
import { executors, sampleLines, startLogPlane } from './support/log-plane.ts';
import { workFolder } from './support/work-folder.ts';

const batches = 300;
const rounds = 3;
const lines = sampleLines(100);
const folder = workFolder();
const plane = await startLogPlane(folder, { SVC_STATE_PATH: join(folder, 'state.db') });

try {
  await plane.load({ binding: 'grpc', batches: 50, lines });
  const { seconds } = await plane.load({ binding: 'grpc', batches, lines });
  const batchesPerSecond = batches / seconds / 2;
  const answers: LogLoadAnswer[] = [];
  for (let round = 0; round < rounds; round++)
    answers.push(await plane.load({ binding: 'grpc', batches, lines, batchesPerSecond }));
  for (const percentile of ['p50', 'p99'] as const) {
    const value = median(answers.map((answer) => answer[`${percentile}Ms`]));
    await measure({
      name: `log-ack-latency-${percentile}`,
      unit: `ms-at-${Math.round(batchesPerSecond * executors * lines.length)}-lines/s`,
      rounds: 1,
      product: async () => value,
      limit: null,
    });
  }
} finally {
  await plane.stop();
}
