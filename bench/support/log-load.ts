/**
 * The executors of the log benchmarks, in a process of their own: `node log-load.ts`, controlled by one message. Answers
 * with the seconds from the first batch to the last acknowledgement, and how long acknowledgements took.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlaneClient, Lease, LogLine } from '../../src/protocol/control-plane.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { createHttpClient } from '../../src/protocol/http-client.ts';
import { percentile, secondsOf } from './figure.ts';

export interface LogLoad {
  readonly binding: 'grpc' | 'http';
  readonly address: string;
  readonly url: string;
  readonly key: string;
  /** One executor each. */
  readonly leases: readonly Lease[];
  readonly batches: number;
  readonly lines: readonly LogLine[];
  /** Batches of one executor on the way, in order; 16 when left out. */
  readonly batchesAtOnce?: number;
  /** Batches that each executor sends per second; as many as it can when left out. */
  readonly batchesPerSecond?: number;
}

export interface LogLoadAnswer {
  readonly seconds: number;
  /** From the call to the answer: half of them took no longer, and all but one in a hundred. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const batchesAtOnceDefault = 16;

async function connect(load: LogLoad, lease: Lease): Promise<ControlPlaneClient> {
  const { address, url: baseUrl, key } = load;
  const client =
    load.binding === 'grpc' ? createGrpcClient({ address, key }) : createHttpClient({ baseUrl, key });
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

/** Keeps so many batches on the way, in order. */
async function send(
  client: ControlPlaneClient,
  load: LogLoad,
  lease: Lease,
  latenciesMs: number[],
): Promise<void> {
  const { batchesAtOnce = batchesAtOnceDefault, batchesPerSecond, batches, lines } = load;
  const startedAt = performance.now();
  const onTheWay: Promise<void>[] = [];
  for (let index = 0; index < batches; index++) {
    if (batchesPerSecond !== undefined) {
      const due = startedAt + (index * 1_000) / batchesPerSecond;
      if (due > performance.now()) await sleep(due - performance.now());
    }
    const first_seq = index * lines.length + 1;
    const sentAt = performance.now();
    const sent = client.appendLogs({ lease, first_seq, lines }).then((ack) => {
      latenciesMs.push(performance.now() - sentAt);
      const isTaken = ack.outcome === 'ACCEPTED' && ack.acked_seq >= first_seq + lines.length - 1;
      if (!isTaken) throw new Error(`A batch was not taken: ${JSON.stringify(ack)}`);
    });
    onTheWay.push(sent);
    if (onTheWay.length >= batchesAtOnce) await onTheWay.shift();
  }
  await Promise.all(onTheWay);
}

process.on('message', async (load: LogLoad) => {
  const clients = await Promise.all(load.leases.map((lease) => connect(load, lease)));
  const latenciesMs: number[] = [];
  const sends = () =>
    load.leases.map((lease, index) => send(clients[index] as ControlPlaneClient, load, lease, latenciesMs));
  const seconds = await secondsOf(() => Promise.all(sends()));
  await Promise.all(clients.map((client) => client.close()));
  const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)];
  process.send?.({ seconds, p50Ms, p99Ms } satisfies LogLoadAnswer);
  process.disconnect();
});
