/**
 * The executors of the run benchmarks, in a process of their own: they acknowledge and complete whatever they are given, at once.
 * Told `connect` first, then `go`: from then on they have credits. Answers `connected`, and the arrivals of runs as they come.
 */

import { randomUUID } from 'node:crypto';
import { eachFigure, ROW_COUNTS } from '../../src/base/run-report.ts';
import type { ControlPlaneClient, ExecutorSession, Lease } from '../../src/protocol/control-plane.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';

export type RunLoadOrder =
  | {
      readonly kind: 'connect';
      /** Executor n connects to the n-th, round and round. */
      readonly addresses: readonly string[];
      readonly key: string;
      readonly executors: number;
      readonly slots: number;
    }
  | { readonly kind: 'go' }
  | { readonly kind: 'stop' };

export type RunLoadAnswer =
  | { readonly kind: 'connected' }
  /** Runs since the last: `[run id, milliseconds since 1970]` when the assignment came, and how many were completed. */
  | {
      readonly kind: 'figures';
      readonly arrived: readonly (readonly [number, number])[];
      readonly completed: number;
    };

const REPORT_MS = 20;

const clients: ControlPlaneClient[] = [];
const starts: (() => void)[] = [];
let arrived: [number, number][] = [];
let completed = 0;

function tell(answer: RunLoadAnswer): void {
  process.send?.(answer);
}

const nowMs = () => performance.timeOrigin + performance.now();

async function connect(address: string, key: string, slots: number): Promise<void> {
  const client = createGrpcClient({ address, key });
  clients.push(client);
  await client.register({
    name: 'bench',
    instance_id: randomUUID(),
    version: '0.0.0',
    protocol_version: PROTOCOL_VERSION,
    features: [],
    labels: {},
    slots,
    connector_types: [],
  });
  let free = slots;
  let told = true;
  const tellCredits = (session: ExecutorSession) => {
    if (told) return;
    told = true;
    setImmediate(() => {
      told = false;
      session.credits(free);
    });
  };
  await new Promise<void>((resolve, reject) => {
    const session: ExecutorSession = client.openSession([], {
      onAttached: () => resolve(),
      onAssignment: ({ lease }) => {
        arrived.push([lease.run_id, nowMs()]);
        free -= 1;
        session.acknowledge(lease);
        session.complete(completionOf(lease));
      },
      onAcknowledged: () => undefined,
      onHeartbeat: () => undefined,
      onCancel: () => undefined,
      onCompleted: ({ outcome }) => {
        if (outcome !== 'ACCEPTED') throw new Error(`A completion was not taken: ${outcome}`);
        completed += 1;
        free += 1;
        tellCredits(session);
      },
      onDrained: () => undefined,
      onClosed(error) {
        reject(error ?? new Error('The session was closed'));
        if (starts.length > 0) throw error ?? new Error('The session was closed');
      },
    });
    starts.push(() => {
      told = false;
      tellCredits(session);
    });
  });
}

function completionOf(lease: Lease) {
  const rows = eachFigure(ROW_COUNTS, () => 0);
  const rest = { reason: '', failure: null, last_log_seq: 0, steps: [], retryable: false };
  return { lease, status: 'success' as const, ...rows, ...rest, args: null, outputs: null };
}

process.on('message', async (order: RunLoadOrder) => {
  if (order.kind === 'connect') {
    const { addresses, key, executors, slots } = order;
    await Promise.all(
      Array.from({ length: executors }, (_, index) =>
        connect(addresses[index % addresses.length] ?? '', key, slots),
      ),
    );
    tell({ kind: 'connected' });
  } else if (order.kind === 'go') {
    for (const start of starts) start();
    setInterval(() => {
      if (arrived.length === 0 && completed === 0) return;
      tell({ kind: 'figures', arrived, completed });
      arrived = [];
      completed = 0;
    }, REPORT_MS);
  } else process.exit(0);
});
