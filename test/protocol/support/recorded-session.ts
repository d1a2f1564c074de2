import { setTimeout as delay } from 'node:timers/promises';
import type {
  ControlPlaneClient,
  ExecutorSession,
  Lease,
  SessionHandlers,
} from '../../../src/protocol/control-plane.ts';

type Told = { [K in keyof SessionHandlers]: Parameters<SessionHandlers[K]>[0] };

const stepMs = 5;
const patienceMs = 5_000;

/** Waits until `look` gives something; fails after five seconds with `what` was awaited. */
export async function eventually<T>(what: string, look: () => T | undefined | false | null): Promise<T> {
  for (let waited = 0; waited < patienceMs; waited += stepMs) {
    const found = look();
    if (found !== undefined && found !== false && found !== null) return found;
    await delay(stepMs);
  }
  throw new Error(`Waited in vain for ${what}`);
}

/** A session whose messages are kept in order. */
export interface RecordedSession {
  readonly session: ExecutorSession;
  readonly told: { readonly handler: keyof SessionHandlers; readonly value: unknown }[];
  /** The values that one handler was given so far. */
  all<K extends keyof SessionHandlers>(handler: K): Told[K][];
  /** The `n`th value of a handler, counted from 0, as soon as it has come. */
  nth<K extends keyof SessionHandlers>(handler: K, n?: number): Promise<Told[K]>;
}

export function recordSession(client: ControlPlaneClient, leases: readonly Lease[] = []): RecordedSession {
  const told: { handler: keyof SessionHandlers; value: unknown }[] = [];
  const keep =
    (handler: keyof SessionHandlers) =>
    (value?: unknown): void => {
      told.push({ handler, value });
    };
  const session = client.openSession(leases, {
    onAttached: keep('onAttached'),
    onAssignment: keep('onAssignment'),
    onAcknowledged: keep('onAcknowledged'),
    onHeartbeat: keep('onHeartbeat'),
    onCancel: keep('onCancel'),
    onCompleted: keep('onCompleted'),
    onDrained: keep('onDrained'),
    onClosed: keep('onClosed'),
  });
  const all = <K extends keyof SessionHandlers>(handler: K) =>
    told.filter((entry) => entry.handler === handler).map((entry) => entry.value as Told[K]);
  return {
    session,
    told,
    all,
    async nth(handler, n = 0) {
      await eventually(`${handler} ${n}`, () => all(handler).length > n);
      return all(handler)[n] as Told[typeof handler];
    },
  };
}

/** Opens sessions until one is attached, as an executor does. */
export async function eventuallyAttached(client: ControlPlaneClient, leases: readonly Lease[] = []) {
  for (;;) {
    const recorded = recordSession(client, leases);
    const outcome = await eventually('attached or closed', () => recorded.told[0]?.handler);
    if (outcome === 'onAttached') return recorded;
    await eventually('the back-off', () => true);
  }
}
