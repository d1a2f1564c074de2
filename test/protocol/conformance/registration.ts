import type { AppError } from '../../../src/base/errors.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/control-plane.ts';
import { recordSession } from '../support/recorded-session.ts';
import { rejectsWith } from '../support/rejects-with.ts';
import { LIMITS, logLines, REGISTER_REQUEST } from '../support/samples.ts';
import type { Scenario } from './scenario.ts';

export function registrationScenarios(scenario: Scenario): void {
  scenario('registering again gives the same id and a new token', async (t, plane, client) => {
    const first = await client.register(REGISTER_REQUEST);
    const second = await client.register(REGISTER_REQUEST);
    t.equal(first.executor_id, second.executor_id);
    t.not(first.session_token, second.session_token);
    t.same(second.limits, LIMITS);
    t.equal(second.protocol_version, PROTOCOL_VERSION);
    t.equal(plane.sessionTokens.get(1), second.session_token);
    const other = await client.register({ ...REGISTER_REQUEST, instance_id: 'instance-2' });
    t.not(other.executor_id, first.executor_id);
  });

  scenario('a protocol that is too old is refused with the reason', async (t, plane, client) => {
    plane.oldestProtocol = PROTOCOL_VERSION + 1;
    await rejectsWith(t, client.register(REGISTER_REQUEST), 'VALIDATION_ERROR', /too old/);
  });

  scenario('a wrong or missing key reaches nothing', async (t, plane, _client, server) => {
    plane.calls.length = 0;
    for (const key of ['wrong', '', `${server.key} `, server.key.slice(1)]) {
      const stranger = server.client(key);
      await rejectsWith(t, stranger.register(REGISTER_REQUEST), 'AUTH_ERROR');
      await stranger.close();
    }
    t.same(plane.calls, []);
  });

  scenario('a session token that was replaced is refused on every call', async (t, plane, client) => {
    const lease = { run_id: 1, attempt: 1, epoch: 1, token: 'x' };
    plane.sessionTokens.set(1, 'replaced');
    plane.calls.length = 0;
    await rejectsWith(t, client.runSpec(lease), 'AUTH_ERROR', /Register/);
    await rejectsWith(t, client.checkpoint(lease, 'c'), 'AUTH_ERROR');
    const save = { lease, name: 'c', value: 1, expected_version: 0 };
    await rejectsWith(t, client.saveCheckpoint(save), 'AUTH_ERROR');
    const letters = { lease, first_seq: 1, items: [] };
    await rejectsWith(t, client.putDeadLetters(letters), 'AUTH_ERROR');
    await rejectsWith(t, client.appendLogs({ lease, first_seq: 1, lines: logLines(1) }), 'AUTH_ERROR');
    await rejectsWith(t, client.reportMetrics({ lease, batch_seq: 1, metrics: [] }), 'AUTH_ERROR');
    await rejectsWith(t, client.deregister(), 'AUTH_ERROR');
    const closed = await recordSession(client).nth('onClosed');
    t.equal((closed as AppError).code, 'AUTH_ERROR');
    t.same(new Set(plane.calls), new Set(['authenticate']));
    await client.register(REGISTER_REQUEST);
    t.same(await client.runSpec(lease), { outcome: 'RUN_ABSENT' }, 'registering again repairs it');
  });
}
