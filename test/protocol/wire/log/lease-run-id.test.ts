import fc from 'fast-check';
import t from 'tap';
import { leaseRunIdIn } from '../../../../src/protocol/wire/log/lease-run-id.ts';

const bytes = (json: string) => Buffer.from(json);

t.test('the run id is found wherever the lease stands, whatever stands beside it', async () => {
  const runId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  const others = fc.dictionary(
    fc.string().filter((key) => !['lease', 'run_id', '__proto__'].includes(key)),
    fc.jsonValue(),
  );
  const space = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(runId, others, others, others, space, (run_id, before, within, behind, spaces) => {
      const batch = { ...before, lease: { ...within, run_id, ...behind }, ...behind };
      return leaseRunIdIn(bytes(JSON.stringify(batch, null, spaces))) === run_id;
    }),
  );
});

t.test('another level, a text or a list does not pass for the lease', async (t) => {
  for (const json of [
    '',
    '{',
    '[]',
    'null',
    '"lease"',
    '{"lease":7}',
    '{"lease":[{"run_id":7}]}',
    '{"lines":[{"lease":{"run_id":7}}]}',
    '{"lines":"\\"lease\\":{\\"run_id\\":7}"}',
    '{"lease":{"token":"\\"run_id\\":7"}}',
    '{"lease":{"inner":{"run_id":7}}}',
    '{"lease":{"run_id":"7"}}',
    '{"lease":{"run_id":-7}}',
    '{"\\"lease\\"":{"run_id":7}}',
    '{"lease":{}} {"lease":{"run_id":7}}',
    '{"message":"\\\\","lease":{"run_id":',
  ]) {
    t.equal(leaseRunIdIn(bytes(json)), null, json);
  }
  t.equal(leaseRunIdIn(bytes(' { "x" : "\\\\" , "lease" : { "run_id" : 7 } }')), 7);
});

t.test('no bytes make it fail, or run beyond them', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      const found = leaseRunIdIn(noise);
      return found === null || Number.isInteger(found);
    }),
  );
  t.equal(leaseRunIdIn(Buffer.from('x{"lease":{"run_id":7}}').subarray(1)), 7, 'a view of a larger buffer');
});
