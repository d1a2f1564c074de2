import t from 'tap';
import { AttemptClaims } from '../../src/threads/attempt-claims.ts';

t.test('an attempt is started by its thread or revoked by the host, never both', async (t) => {
  const host = new AttemptClaims();
  const thread = new AttemptClaims(host.memory);
  host.assign(1);
  t.ok(host.revoke(1));
  t.notOk(thread.start(1), 'it runs elsewhere by now');
  host.assign(2);
  t.ok(thread.start(2));
  t.notOk(thread.start(2), 'and once');
  t.notOk(host.revoke(2), 'it has begun');
  host.assign(1 + 4_096);
  t.ok(thread.start(1 + 4_096), 'a place in the memory is used again');
});
