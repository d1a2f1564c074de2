/**
 * The executors of the metric benchmarks, in a process of their own: `node metric-load.ts`, controlled by one message.
 * Answers with the seconds from the first batch to the last acknowledgement.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metric } from '../../src/base/run-report.ts';
import { type ControlPlaneClient, type Lease, PROTOCOL_VERSION } from '../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { secondsOf } from './figure.ts';

export interface MetricLoad {
  readonly address: string;
  readonly key: string;
  /** One executor each. */
  readonly leases: readonly Lease[];
  readonly firstBatch: number;
  readonly batches: number;
  readonly metrics: readonly Metric[];
  /** Batches that each executor sends per second; as many as it can when left out. */
  readonly batchesPerSecond?: number;
}

const batchesAtOnce = 4;

async function connect({ address, key }: MetricLoad, lease: Lease): Promise<ControlPlaneClient> {
  const client = createGrpcClient({ address, key });
  await client.register({
    name: `bench-${lease.run_id}`,
    instance_id: randomUUID(),
    version: '0.0.0',
    protocol_version: PROTOCOL_VERSION,
    features: [],
    labels: {},
    slots: 1,
    connector_types: [],
  });
  return client;
}

async function send(client: ControlPlaneClient, load: MetricLoad, lease: Lease): Promise<void> {
  const { firstBatch, batches, metrics, batchesPerSecond } = load;
  const startedAt = performance.now();
  const onTheWay: Promise<void>[] = [];
  for (let index = 0; index < batches; index++) {
    const due = batchesPerSecond === undefined ? 0 : startedAt + (index * 1_000) / batchesPerSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const sent = client.reportMetrics({ lease, batch_seq: firstBatch + index, metrics }).then((ack) => {
      if (ack.outcome !== 'ACCEPTED') throw new Error(`A batch was not taken: ${JSON.stringify(ack)}`);
    });
    onTheWay.push(sent);
    if (onTheWay.length >= batchesAtOnce) await onTheWay.shift();
  }
  await Promise.all(onTheWay);
}

process.on('message', async (load: MetricLoad) => {
  const clients = await Promise.all(load.leases.map((lease) => connect(load, lease)));
  const sends = () =>
    load.leases.map((lease, index) => send(clients[index] as ControlPlaneClient, load, lease));
  const seconds = await secondsOf(() => Promise.all(sends()));
  await Promise.all(clients.map((client) => client.close()));
  process.send?.({ seconds });
  process.disconnect();
});
