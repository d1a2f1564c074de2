/**
 * The executors of the log benchmark, in a process of their own: `node log-load.ts`, told by one message what to send. Answers
 * with the seconds from the first batch to the last acknowledgement.
 */
import { randomUUID } from 'node:crypto';
import type { ControlPlaneClient, Lease, LogLine } from '../../src/protocol/control-plane.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { secondsOf } from './figure.ts';

export interface LogLoad {
  readonly address: string;
  readonly key: string;
  /** One executor each. */
  readonly leases: readonly Lease[];
  readonly batches: number;
  readonly lines: readonly LogLine[];
}

const batchesAtOnce = 16;

async function connect(load: LogLoad, lease: Lease): Promise<ControlPlaneClient> {
  const client = createGrpcClient({ address: load.address, key: load.key });
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

/** Keeps `batchesAtOnce` batches on the way, in order. */
async function send(client: ControlPlaneClient, load: LogLoad, lease: Lease): Promise<void> {
  const onTheWay: Promise<void>[] = [];
  for (let index = 0; index < load.batches; index++) {
    const first_seq = index * load.lines.length + 1;
    const sent = client.appendLogs({ lease, first_seq, lines: load.lines }).then((ack) => {
      const isTaken = ack.outcome === 'ACCEPTED' && ack.acked_seq >= first_seq + load.lines.length - 1;
      if (!isTaken) throw new Error(`A batch was not taken: ${JSON.stringify(ack)}`);
    });
    onTheWay.push(sent);
    if (onTheWay.length >= batchesAtOnce) await onTheWay.shift();
  }
  await Promise.all(onTheWay);
}

process.on('message', async (load: LogLoad) => {
  const clients = await Promise.all(load.leases.map((lease) => connect(load, lease)));
  const seconds = await secondsOf(() =>
    Promise.all(load.leases.map((lease, index) => send(clients[index] as ControlPlaneClient, load, lease))),
  );
  await Promise.all(clients.map((client) => client.close()));
  process.send?.({ seconds });
  process.disconnect();
});
