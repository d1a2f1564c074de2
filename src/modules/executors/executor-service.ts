import { AppError } from '../../base/errors.ts';
import { randomToken, sha256 } from '../../base/ids.ts';
import { type ServerMeter, silentMeter } from '../../base/server-meter.ts';
import type {
  Assignment,
  ExecutorIdentity,
  ExecutorLimits,
  RegisterRequest,
  Registration,
} from '../../protocol/control-plane.ts';
import { PROTOCOL_VERSION } from '../../protocol/control-plane.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import { offersOf } from '../runs/queue/run-kind.ts';
import { giveBackLeases, requeueRun } from '../runs/queue/run-lease-store.ts';
import { expireCancel } from '../runs/run-store.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { unmarkFitting } from './dispatch/unclaimable-store.ts';
import { EXECUTOR_LIMITS, EXECUTOR_NAME_LENGTH_MAX, EXECUTOR_SLOTS_MAX } from './executor.ts';
import {
  lockHeldRuns,
  selectPresentExecutorIds,
  updateExecutorStatus,
  updateReplacedGone,
  upsertExecutor,
} from './executor-store.ts';
import { SessionTokens } from './session-tokens.ts';

export interface ExecutorsDeps {
  readonly store: Store;
  readonly wakeQueue: () => void;
  readonly limits?: ExecutorLimits;
  readonly meter?: ServerMeter;
}

export type Executors = ReturnType<typeof createExecutors>;

/** Executors and their leases: registration, sessions, claims. */
export function createExecutors(deps: ExecutorsDeps) {
  const { store, wakeQueue, limits = EXECUTOR_LIMITS, meter = silentMeter } = deps;
  const awayMs = limits.lease_ttl_ms + limits.reconnect_grace_ms;
  const tokens = new SessionTokens(store);
  const dispatcher = new Dispatcher({ store, meter, limits, wakeQueue });

  async function register(request: RegisterRequest): Promise<Registration> {
    check(request);
    const token = randomToken();
    const { id, unmarked } = await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      const who = { connectorTypes: new Set(offersOf(request)), labels: request.labels };
      const lostBefore = now - awayMs;
      const made = await registerInside(tx, request, sha256(token), { now, lostBefore });
      const isDrained = made.drain_requested_at !== null;
      return { id: made.id, unmarked: !isDrained && (await unmarkFitting(tx, store.dialect, who)) };
    });
    tokens.forget(id);
    if (unmarked) wakeQueue();
    return {
      executor_id: id,
      session_token: token,
      protocol_version: PROTOCOL_VERSION,
      limits,
    };
  }

  async function authenticate(identity: ExecutorIdentity): Promise<void> {
    if (!(await tokens.isValid(identity)))
      throw new AppError(
        'AUTH_ERROR',
        'The executor is not registered, or its session token is outdated: register again',
      );
  }

  /** Leases queued runs to an executor, each until the deadline of its acknowledgement. */
  function claim(identity: ExecutorIdentity, count: number): Promise<readonly Assignment[]> {
    return dispatcher.claim(identity.executor_id, count);
  }

  async function drain(identity: ExecutorIdentity): Promise<void> {
    await store.write(async (tx) =>
      updateExecutorStatus(tx, identity.executor_id, 'draining', await selectNow(tx, store.dialect)),
    );
  }

  /** Its leases go back to the queue at once; runs that it was asked to cancel are left to the next pass of the sweeper. */
  async function deregister(identity: ExecutorIdentity): Promise<number> {
    const count = await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      const held = await lockHeldRuns(tx, store.dialect, identity.executor_id);
      for (const run of held) {
        // It leaves in order: its runs are not suspects.
        const requeue = { reason: 'executor_lost', availableAt: now, loss: false } as const;
        if (run.status === 'running') await requeueRun(tx, run, requeue, now);
        else await expireCancel(tx, run.id, now);
      }
      await updateExecutorStatus(tx, identity.executor_id, 'gone', now);
      return held.length;
    });
    tokens.forget(identity.executor_id);
    if (count > 0) wakeQueue();
    return count;
  }

  /** For executors known to be dead (all of a name, or one instance): their leases lapse at the next sweep. */
  async function release(name: string, instanceId: string | null): Promise<void> {
    const ids = await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      const present = await selectPresentExecutorIds(tx, name, instanceId);
      for (const id of present) {
        await giveBackLeases(tx, id);
        await updateExecutorStatus(tx, id, 'gone', now);
      }
      return present;
    });
    for (const id of ids) tokens.forget(id);
  }

  return { register, authenticate, claim, drain, deregister, release };
}

/** A new instance takes the place of a lost one of its name, such as a container that was killed. */
async function registerInside(
  tx: Tx,
  request: RegisterRequest,
  tokenHash: string,
  { now, lostBefore }: { readonly now: number; readonly lostBefore: number },
): ReturnType<typeof upsertExecutor> {
  const known = await selectPresentExecutorIds(tx, request.name, request.instance_id);
  if (known.length === 0) await updateReplacedGone(tx, request.name, lostBefore);
  return upsertExecutor(tx, request, tokenHash, now);
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
      `Protocol version ${request.protocol_version} is not supported; upgrade the executor to ${PROTOCOL_VERSION}`,
    );
  }
}
