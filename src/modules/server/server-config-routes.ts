import { z } from 'zod';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { operation } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import type { ServerConfigs } from './server-config-service.ts';
import { SETTING_SOURCES } from './server-setting.ts';

const BODY_BYTES_MAX = 65_536;
const tag = 'Server';

const record = z.object({
  value: z.unknown().describe('In effect; a secret is `********`'),
  source: z.enum(SETTING_SOURCES).describe('`environment`: a `SVC_*` variable, or `headgate.yaml`'),
  locked: z.boolean().describe('Set outside of the API, and not changed by it'),
  default: z.unknown(),
  secret: z.boolean(),
  description: z.string(),
});
const EXAMPLE = {
  value: 30,
  source: 'default',
  locked: false,
  default: 30,
  secret: false,
  description: 'Days that a log is kept; 0 for good.',
} as const;
const configuration = z
  .object({ settings: z.record(z.string(), record) })
  .meta({ id: 'ServerConfiguration', examples: [{ settings: { 'retention.log_days': EXAMPLE } }] });

const input = z
  .strictObject({
    settings: z
      .record(z.string(), z.unknown())
      .describe('By key: a value, or a map with `value` as the answer has it; null for the default'),
  })
  .meta({ examples: [{ settings: { 'ai.model': 'gpt-5.4-mini', 'retention.log_days': 14 } }] });

export function registerServerConfigRoutes(
  app: App,
  { serverConfigs }: { readonly serverConfigs: ServerConfigs },
): void {
  app.get(
    '/api/server/config',
    operation({
      id: 'getServerConfig',
      tag,
      summary: 'What can be configured while the servers run',
      access: member('superadmin', 'server:read'),
      answers: { 200: configuration },
    }),
    async (_request, reply) => {
      const { settings, version } = await serverConfigs.current();
      setEtag(reply, version);
      return { settings };
    },
  );

  const change = operation({
    id: 'updateServerConfig',
    tag,
    summary: 'Change settings; keys that are left out keep their value',
    description:
      'The answer of the GET can be sent back, changed or not. `********` keeps a secret. What the environment or `headgate.yaml` sets wins, and is refused here. All servers act by a change at once, without a restart. Another `ai.base_url` or `ai.provider` needs `ai.api_key` again.',
    access: member('superadmin', 'server:write'),
    body: input,
    answers: { 200: configuration },
    errors: ['PRECONDITION_FAILED', 'CONFLICT'],
  });
  app.put('/api/server/config', { ...change, bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const { settings } = request.body;
    const saved = await serverConfigs.change(settings, ifMatch(request), actorOf(request));
    setEtag(reply, saved.version);
    return { settings: saved.settings };
  });
}
