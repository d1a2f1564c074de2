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
  value: z.unknown().describe('The value in effect; a secret reads as `********`'),
  source: z.enum(SETTING_SOURCES).describe('`environment`: a `SVC_*` variable, or `headgate.yaml`'),
  locked: z.boolean().describe('Set outside of the API, which cannot change it'),
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
  description: 'Days to keep a log; 0 = forever.',
} as const;
const configuration = z
  .object({ settings: z.record(z.string(), record) })
  .meta({ id: 'ServerConfiguration', examples: [{ settings: { 'retention.log_days': EXAMPLE } }] });

const input = z
  .strictObject({
    settings: z
      .record(z.string(), z.unknown())
      .describe('By key: a value, or a map with `value` as in the answer; null for the default'),
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
      summary: 'The settings that can be changed while the servers run',
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
      'You can send back the answer of the GET, changed or not. `********` keeps a secret. Settings of the environment or `headgate.yaml` win, and are refused here. All servers apply a change at once, without a restart. A new `ai.base_url` or `ai.provider` needs `ai.api_key` again.',
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
