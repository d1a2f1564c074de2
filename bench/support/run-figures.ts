import { measure, percentile } from './figure.ts';
import type { RunBench } from './run-bench.ts';

const RUNS = 4_000;
const WARM_UP_RUNS = 200;
const RUNS_PER_SECOND = 100;
const LATENCY_SECONDS = 5;

/** The figures of a run bench, which it starts and stops: runs per second against `limit`, then the latencies at moderate load. */
export async function measureRuns(
  name: string,
  bench: RunBench,
  limit: () => Promise<number>,
): Promise<void> {
  const rssMb = () => bench.rssMb();
  try {
    await bench.start();
    bench.go();
    await bench.throughput(WARM_UP_RUNS);
    await measure({ name, unit: 'runs/s', product: () => bench.throughput(RUNS), limit, rssMb });
    const latencies = await bench.latencies(LATENCY_SECONDS * RUNS_PER_SECOND, RUNS_PER_SECOND);
    for (const share of [0.5, 0.99]) {
      const product = async () => percentile(latencies, share);
      const latency = `${name}-latency-p${share * 100}`;
      await measure({ name: latency, unit: 'ms', rounds: 1, product, limit: null, rssMb });
    }
  } finally {
    await bench.stop();
  }
}
