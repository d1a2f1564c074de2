import { z } from 'zod';
import { member } from '../../../http/access.ts';
import { operation } from '../../../http/operation.ts';
import type { App } from '../../../http/server.ts';
import { actorOf } from '../../audit/audit.ts';
import { executorKeyRecord } from './executor-key.ts';
import type { ExecutorKeyRegistry } from './executor-key-registry.ts';

const tag = 'Server';
const fingerprintParams = z.strictObject({ fingerprint: z.string().regex(/^[0-9a-f]{16}$/) });

export function registerExecutorKeyRoutes(
  app: App,
  keys: Pick<ExecutorKeyRegistry, 'list' | 'revoke'>,
): void {
  app.get(
    '/api/server/executor-keys',
    operation({
      id: 'listExecutorKeys',
      tag,
      summary: 'Executor keys by fingerprint, newest first',
      access: member('superadmin', 'server:read'),
      answers: { 200: z.object({ result: z.array(executorKeyRecord) }) },
    }),
    async () => ({ result: await keys.list() }),
  );

  app.post(
    '/api/server/executor-keys/:fingerprint/revoke',
    operation({
      id: 'revokeExecutorKey',
      tag,
      summary: 'Revoke an executor key for good, on every server',
      description:
        'Sessions and streams opened with it end within seconds. The last valid key of the server that ' +
        'handles the call cannot be revoked. Revoking a revoked key changes nothing.',
      access: member('superadmin', 'server:write'),
      params: fingerprintParams,
      answers: { 200: executorKeyRecord },
      errors: ['CONFLICT'],
    }),
    async (request) => keys.revoke(request.params.fingerprint, actorOf(request)),
  );
}
