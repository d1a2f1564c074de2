import t from 'tap';
import type { AppError } from '../../../src/base/errors.ts';
import { fingerprintOf, isRevokedKey } from '../../../src/protocol/executor-key.ts';
import { createGrpcClient } from '../../../src/protocol/grpc-client.ts';
import { recordSession } from '../../protocol/support/recorded-session.ts';
import { rejectsWith } from '../../protocol/support/rejects-with.ts';
import { REGISTER_REQUEST } from '../../protocol/support/samples.ts';
import { EXECUTOR_KEY, startFullApp } from '../../support/full-app.ts';
import { STORE_KINDS } from '../../support/stores.ts';

const PREVIOUS = 'previous-key-of-executors-0123456789';

for (const kind of STORE_KINDS) {
  t.test(`revoking a key by the API shuts its holders out of both bindings (${kind})`, async (t) => {
    const full = await startFullApp(t, kind, { SVC_EXECUTOR_PREVIOUS_KEY: PREVIOUS });
    const client = createGrpcClient({ address: full.plane.grpcAddress, key: PREVIOUS });
    t.teardown(() => client.close());
    await client.register(REGISTER_REQUEST);
    const recorded = recordSession(client);
    await recorded.nth('onAttached');
    const poller = { ...REGISTER_REQUEST, name: 'poller' };
    const holder = full.withToken(PREVIOUS);
    const { body: seat } = await holder.post<{ executor_id: number; session_token: string }>(
      '/api/executors/register',
      poller,
    );
    const waiting = holder.post(
      `/api/executors/${seat.executor_id}/next?wait=25`,
      { credits: 1 },
      { 'x-executor-id': String(seat.executor_id), 'x-session-token': seat.session_token },
    );
    const { visitor } = await full.superadmin();
    const path = '/api/server/executor-keys';
    const { body } = await visitor.get<{ result: { fingerprint: string; setting: string }[] }>(path);
    t.same(new Set(body.result.map(({ setting }) => setting)), new Set(['current', 'previous']));
    const revoked = await visitor.post(`${path}/${fingerprintOf(PREVIOUS)}/revoke`);
    t.equal(revoked.status, 200);
    t.match(await waiting, { status: 401, body: { error: 'AUTH_ERROR', message: /is revoked/ } });
    const closed = (await recorded.nth('onClosed')) as AppError;
    t.ok(isRevokedKey(closed));
    t.ok(isRevokedKey(await rejectsWith(t, client.register(REGISTER_REQUEST), 'AUTH_ERROR')));
    const overHttp = (key: string) => full.withToken(key).post('/api/executors/register', REGISTER_REQUEST);
    t.match(await overHttp(PREVIOUS), {
      status: 401,
      body: { error: 'AUTH_ERROR', message: /is revoked/, details: [{ message: 'revoked' }] },
    });
    t.equal((await overHttp(EXECUTOR_KEY)).status, 200);
    const current = createGrpcClient({ address: full.plane.grpcAddress, key: EXECUTOR_KEY });
    t.teardown(() => current.close());
    t.ok(await current.register({ ...REGISTER_REQUEST, name: 'another' }));
    const last = await visitor.post(`${path}/${fingerprintOf(EXECUTOR_KEY)}/revoke`);
    t.match(last, { status: 409, body: { error: 'CONFLICT' } });
    const audit = await visitor.get<{ result: object[] }>('/api/audit-logs?action=executor_key.revoke');
    t.match(audit.body.result, [{ resource_id: fingerprintOf(PREVIOUS), outcome: 'success' }]);
  });
}
