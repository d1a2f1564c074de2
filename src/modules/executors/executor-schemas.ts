import { z } from 'zod';
import { OUTCOMES } from '../../protocol/control-plane.ts';
import { EXECUTOR_NAME_LENGTH_MAX, EXECUTOR_SLOTS_MAX, HELD_LEASES_MAX } from './executor.ts';

/** JSON of the executor contract (`protocol/control-plane.ts`). Times are milliseconds since 1970, sequence numbers from 1. */

export const whole = z.int().nonnegative();
export const fromOne = z.int().positive();
export const outcome = z
  .enum(OUTCOMES)
  .describe('STALE_LEASE: stop and discard. ALREADY_DONE: the same write was accepted before.');

const LEASE = { run_id: 7, attempt: 1, epoch: 3, token: 'd41c6f0b9a2e4877' };

export const lease = z
  .strictObject({ run_id: fromOne, attempt: fromOne, epoch: whole, token: z.string().max(512) })
  .meta({ id: 'Lease', examples: [LEASE] });

export const leases = z.strictObject({ leases: z.array(lease).max(HELD_LEASES_MAX) });

export const leaseOutcome = z
  .object({ run_id: fromOne, attempt: fromOne, outcome })
  .meta({ id: 'LeaseOutcome', examples: [{ run_id: 7, attempt: 1, outcome: 'ACCEPTED' }] });

const cancel = z
  .object({ run_id: fromOne, attempt: fromOne, force: z.boolean(), grace_ms: whole })
  .meta({ id: 'RunCancel', examples: [{ run_id: 7, attempt: 1, force: false, grace_ms: 10_000 }] });
const cancels = z.array(cancel).describe('Runs to cancel; repeated in every heartbeat response');

export const heartbeatReply = z.object({ leases: z.array(leaseOutcome), cancels });

const assignment = z
  .object({ lease, lease_ttl_ms: fromOne, task_name: z.string() })
  .meta({ id: 'Assignment', examples: [{ lease: LEASE, lease_ttl_ms: 30_000, task_name: 'sync_orders' }] });

export const nextQuery = z.strictObject({
  wait: z.coerce.number().min(0).max(60).default(25).describe('Seconds to wait for work'),
});
export const nextBody = z.strictObject({
  credits: z.int().min(0).max(EXECUTOR_SLOTS_MAX).describe('Free slots; 0 waits for cancels only'),
});
export const nextReply = z.object({ assignments: z.array(assignment), cancels });

const shortText = z.string().max(EXECUTOR_NAME_LENGTH_MAX);

export const registerBody = z
  .strictObject({
    name: shortText.min(1),
    instance_id: shortText.min(1).describe('New at every start of the process'),
    version: shortText,
    protocol_version: whole,
    features: z.array(shortText).max(100),
    labels: z.record(shortText, shortText),
    slots: fromOne.max(EXECUTOR_SLOTS_MAX),
    connector_types: z.array(shortText).max(1_000),
  })
  .meta({
    examples: [
      {
        name: 'berlin-1',
        instance_id: '0b9c5f1e-7a34-4d0e-9b1c-2f6a8e3d5c70',
        version: '1.0.0',
        protocol_version: 1,
        features: [],
        labels: { region: 'eu' },
        slots: 2,
        connector_types: ['csv', 'postgres'],
      },
    ],
  });

const ms = whole.describe('Milliseconds');
export const registration = z
  .object({
    executor_id: fromOne,
    session_token: z.string(),
    protocol_version: whole,
    limits: z.object({
      lease_ttl_ms: ms,
      heartbeat_ms: ms,
      reconnect_grace_ms: ms,
      log_batch_lines_max: whole,
      log_batch_bytes_max: whole,
      log_line_bytes_max: whole,
      assignment_ack_ms: ms,
    }),
  })
  .meta({ id: 'ExecutorRegistration' });

export const requeued = z.object({ requeued: whole.describe('Leases that were returned') });
