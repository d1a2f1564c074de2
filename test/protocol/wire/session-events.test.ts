import t from 'tap';
import {
  type ControlEvent,
  fromControlEvent,
  toControlEvent,
} from '../../../src/protocol/wire/control-event.ts';
import { RPC_NAMES, RPCS } from '../../../src/protocol/wire/definition/service-definition.ts';
import {
  type ExecutorEvent,
  fromExecutorEvent,
  toExecutorEvent,
} from '../../../src/protocol/wire/executor-event.ts';
import { completionOf } from '../support/samples.ts';

const lease = { run_id: 2 ** 40, attempt: 2, epoch: 3, token: 'secret' };
const outcome = { run_id: 7, attempt: 1, outcome: 'STALE_LEASE' as const };
const cancel = { run_id: 7, attempt: 1, force: true, grace_ms: 5_000 };

const said: ExecutorEvent[] = [
  { type: 'attach', leases: [] },
  { type: 'attach', leases: [lease, lease] },
  { type: 'credits', count: 0 },
  { type: 'assignment_ack', lease },
  { type: 'heartbeat', sequence: 4, leases: [lease] },
  {
    type: 'progress',
    progress: {
      lease,
      step_id: 's',
      rows_in: 1,
      rows_out: 2,
      rows_failed: 0,
      rows_per_second: 0.5,
      ratio: 0.25,
    },
  },
  { type: 'completion', completion: completionOf(lease) },
  { type: 'completion', completion: { ...completionOf(lease), status: 'skipped', failure: null } },
  { type: 'drain' },
];

const told: ControlEvent[] = [
  { type: 'attached', leases: [outcome] },
  { type: 'assignment', assignment: { lease, lease_ttl_ms: 30_000, task_name: 't' } },
  { type: 'assignment_ack_reply', outcome },
  { type: 'heartbeat_reply', sequence: 9, reply: { leases: [outcome], cancels: [cancel] } },
  { type: 'cancel', cancel },
  { type: 'completion_reply', outcome },
  { type: 'drain_reply' },
];

t.test('what an executor says survives the wire', async (t) => {
  for (const event of said) {
    const bytes = RPCS.Session.requestSerialize(fromExecutorEvent(event));
    t.strictSame(toExecutorEvent(RPCS.Session.requestDeserialize(bytes)), event, event.type);
  }
});

t.test('what the control plane says survives the wire', async (t) => {
  for (const event of told) {
    const bytes = RPCS.Session.responseSerialize(fromControlEvent(event));
    t.strictSame(toControlEvent(RPCS.Session.responseDeserialize(bytes)), event, event.type);
  }
});

t.test('a message of a newer protocol is passed over', async (t) => {
  const field99 = Buffer.from([0x9a, 0x06, 0x00]);
  t.equal(toExecutorEvent(RPCS.Session.requestDeserialize(field99)), null);
  t.equal(toControlEvent(RPCS.Session.responseDeserialize(field99)), null);
});

t.test('numbers that no JavaScript number holds, and unknown statuses, are refused', async (t) => {
  const refused = (message: object) => {
    const bytes = RPCS.Session.requestSerialize(message);
    t.throws(() => toExecutorEvent(RPCS.Session.requestDeserialize(bytes)), { code: 'VALIDATION_ERROR' });
  };
  refused({ heartbeat: { sequence: 1, leases: [{ ...lease, run_id: '9007199254740993' }] } });
  refused({ heartbeat: { sequence: 1, leases: [{ ...lease, epoch: -1 }] } });
  refused({ assignment_ack: {} });
  refused({ credits: { count: -1 } });
  refused({ completion: { lease, status: 'done' } });
  refused({ completion: { lease, status: 'success', outputs_json: '{' } });
});

t.test('every RPC of the proto file is known by name', async (t) => {
  for (const name of RPC_NAMES) {
    t.equal(RPCS[name].path, `/headgate.executor.v1.ExecutorService/${name}`);
  }
});
