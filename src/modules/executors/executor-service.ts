import { AppError } from '../../base/errors.ts';
import { randomHex, randomToken, secretsEqual, sha256 } from '../../base/ids.ts';
import type {
  Assignment,
  ExecutorIdentity,
  RegisterRequest,
  Registration,
} from '../../protocol/control-plane.ts';
import { PROTOCOL_VERSION } from '../../protocol/control-plane.ts';
import type { Store } from '../../store/store.ts';
import { splitTypes } from '../runs/run.ts';
import { leaseRun, selectClaimable } from '../runs/run-claim-store.ts';
import { giveBackLeases, requeueRun, selectNow } from '../runs/run-lease-store.ts';
import { expireCancel } from '../runs/run-store.ts';
import { EXECUTOR_LIMITS, EXECUTOR_NAME_LENGTH_MAX, EXECUTOR_SLOTS_MAX } from './executor.ts';
import {
  lockHeldRuns,
  selectExecutor,
  selectPresentExecutorIds,
  updateExecutorStatus,
  upsertExecutor,
} from './executor-store.ts';

const CLAIM_MAX = 64;

export interface ExecutorsDeps {
  readonly store: Store;
  readonly wakeQueue: () => void;
}

export type Executors = ReturnType<typeof createExecutors>;

/** Executors and what they hold: registration, sessions, claims. */
export function createExecutors({ store, wakeQueue }: ExecutorsDeps) {
  async function register(request: RegisterRequest): Promise<Registration> {
    check(request);
    const token = randomToken();
    const id = await store.write(async (tx) =>
      upsertExecutor(tx, request, sha256(token), await selectNow(tx, store.dialect)),
    );
    return {
      executor_id: id,
      session_token: token,
      protocol_version: PROTOCOL_VERSION,
      limits: EXECUTOR_LIMITS,
    };
  }

  async function authenticate(identity: ExecutorIdentity): Promise<void> {
    const row = await selectExecutor(store.read, identity.executor_id);
    const known =
      row !== null &&
      row.status !== 'gone' &&
      secretsEqual(row.session_token_hash, sha256(identity.session_token));
    if (!known)
      throw new AppError(
        'AUTH_ERROR',
        'The executor is not registered, or its session token is old: register again',
      );
  }

  /** Leases queued runs to an executor, each until its assignment should have been acknowledged. */
  async function claim(identity: ExecutorIdentity, count: number): Promise<readonly Assignment[]> {
    if (count < 1) return [];
    return store.write(async (tx) => {
      const executor = await selectExecutor(tx, identity.executor_id);
      if (executor === null || executor.status !== 'online') return [];
      const now = await selectNow(tx, store.dialect);
      const who = {
        connectorTypes: new Set(splitTypes(executor.connector_types)),
        labels: JSON.parse(executor.labels_json) as Record<string, string>,
      };
      const rows = await selectClaimable(tx, store.dialect, who, Math.min(count, CLAIM_MAX), now);
      const assignments: Assignment[] = [];
      for (const row of rows) {
        const expires = now + EXECUTOR_LIMITS.assignment_ack_ms;
        const lease = await leaseRun(tx, row, executor.id, randomHex(16), expires, now);
        assignments.push({ lease, lease_ttl_ms: EXECUTOR_LIMITS.lease_ttl_ms, task_name: row.task_name });
      }
      return assignments;
    });
  }

  async function drain(identity: ExecutorIdentity): Promise<void> {
    await store.write(async (tx) =>
      updateExecutorStatus(tx, identity.executor_id, 'draining', await selectNow(tx, store.dialect)),
    );
  }

  /**
   * What it still holds goes back to the queue at once; what it was asked to cancel is left to the sweeper, whose next pass
   * ends it.
   */
  async function deregister(identity: ExecutorIdentity): Promise<number> {
    const count = await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      const held = await lockHeldRuns(tx, store.dialect, identity.executor_id);
      for (const run of held) {
        if (run.status === 'running') await requeueRun(tx, run, 'executor_lost', now, now);
        else await expireCancel(tx, run.id, now);
      }
      await updateExecutorStatus(tx, identity.executor_id, 'gone', now);
      return held.length;
    });
    if (count > 0) wakeQueue();
    return count;
  }

  /** For executors that are known to be dead (all of a name, or one instance): what they held lapses at the next sweep. */
  async function release(name: string, instanceId: string | null): Promise<void> {
    await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      for (const id of await selectPresentExecutorIds(tx, name, instanceId)) {
        await giveBackLeases(tx, id);
        await updateExecutorStatus(tx, id, 'gone', now);
      }
    });
  }

  return { register, authenticate, claim, drain, deregister, release };
}

function check(request: RegisterRequest): void {
  const wrong = (message: string) => new AppError('VALIDATION_ERROR', message);
  if (request.name.length === 0 || request.name.length > EXECUTOR_NAME_LENGTH_MAX) {
    throw wrong(`"name" must have 1 to ${EXECUTOR_NAME_LENGTH_MAX} characters`);
  }
  if (request.instance_id.length === 0 || request.instance_id.length > EXECUTOR_NAME_LENGTH_MAX) {
    throw wrong(`"instance_id" must have 1 to ${EXECUTOR_NAME_LENGTH_MAX} characters`);
  }
  if (request.slots < 1 || request.slots > EXECUTOR_SLOTS_MAX) {
    throw wrong(`"slots" must be 1 to ${EXECUTOR_SLOTS_MAX}; it is ${request.slots}`);
  }
  const spoken = [PROTOCOL_VERSION, PROTOCOL_VERSION - 1];
  if (!spoken.includes(request.protocol_version)) {
    throw wrong(
      `Protocol version ${request.protocol_version} is not spoken here; upgrade the executor to ${PROTOCOL_VERSION}`,
    );
  }
}
