import { z } from 'zod';
import { member } from '../../../http/access.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import { actorOf } from '../../audit/audit.ts';
import { executorKeyRecord } from './executor-key.ts';
import type { ExecutorKeyRegistry } from './executor-key-registry.ts';

const group = {
  tag: 'Server',
  read: member('superadmin', 'server:read'),
  write: member('superadmin', 'server:write'),
};
const fingerprintParams = z.strictObject({ fingerprint: z.string().regex(/^[0-9a-f]{16}$/) });

export function registerExecutorKeyRoutes(
  app: App,
  keys: Pick<ExecutorKeyRegistry, 'list' | 'revoke'>,
): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/server/executor-keys',
    {
      id: 'listExecutorKeys',
      summary: 'Executor keys by fingerprint, newest first',
      answer: z.object({ result: z.array(executorKeyRecord) }),
    },
    async () => ({ result: await keys.list() }),
  );

  routes.post(
    '/api/server/executor-keys/:fingerprint/revoke',
    {
      id: 'revokeExecutorKey',
      summary: 'Revoke an executor key for good, on every server',
      description:
        'Sessions and streams opened with it end within seconds. The last valid key of the server that ' +
        'handles the call cannot be revoked. Revoking a revoked key changes nothing.',
      params: fingerprintParams,
      answer: executorKeyRecord,
      errors: ['CONFLICT'],
    },
    async (request) => keys.revoke(request.params.fingerprint, actorOf(request)),
  );
}
