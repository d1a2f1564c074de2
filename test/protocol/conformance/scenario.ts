import type { Test } from 'tap';
import type { ControlPlaneClient, Lease } from '../../../src/protocol/control-plane.ts';
import type { MemoryControlPlane } from '../support/memory-control-plane.ts';
import type { MemoryRun } from '../support/memory-run.ts';

/** A server of one binding over a control plane. */
export interface BoundServer {
  readonly key: string;
  /** A client with this key; the binding's own key where it is left out. */
  client(key?: string): ControlPlaneClient;
  stop(): Promise<void>;
  /** Breaks every connection at once, as a network would, and accepts new ones. */
  breakConnections(): void;
}

export interface Binding {
  readonly name: string;
  serve(controlPlane: MemoryControlPlane): Promise<BoundServer>;
}

/** What a scenario is given: a fresh control plane, and a client that has registered as executor 1. */
export type Check = (
  t: Test,
  plane: MemoryControlPlane,
  client: ControlPlaneClient,
  server: BoundServer,
) => Promise<void>;

export type Scenario = (guarantee: string, check: Check) => unknown;

/** A run that executor 1 has been assigned. */
export async function leased(plane: MemoryControlPlane): Promise<MemoryRun> {
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  return run;
}

/** The lease before this one. */
export function stale(lease: Lease): Lease {
  return { ...lease, epoch: lease.epoch - 1 };
}
