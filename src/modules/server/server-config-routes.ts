import { z } from 'zod';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import type { ServerConfigs } from './server-config-service.ts';
import { SETTING_SOURCES } from './server-setting.ts';

const BODY_BYTES_MAX = 65_536;
const group = {
  tag: 'Server',
  read: member('superadmin', 'server:read'),
  write: member('superadmin', 'server:write'),
};

const record = z.object({
  value: z.unknown().describe('The value in effect; a secret reads as `********`'),
  source: z.enum(SETTING_SOURCES).describe('`environment`: a `SVC_*` variable, or `headgate.yaml`'),
  locked: z.boolean().describe('Set outside of the API and not changeable here'),
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
      .describe('By key: a value, or a map with `value` as in the response; null for the default'),
  })
  .meta({ examples: [{ settings: { 'ai.model': 'gpt-5.4-mini', 'retention.log_days': 14 } }] });

export function registerServerConfigRoutes(
  app: App,
  { serverConfigs }: { readonly serverConfigs: ServerConfigs },
): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/server/config',
    {
      id: 'getServerConfig',
      summary: 'The settings that can be changed while the servers run',
      answer: configuration,
      sends: ['ETag'],
    },
    async (_request, reply) => {
      const { settings, version } = await serverConfigs.current();
      setEtag(reply, version);
      return { settings };
    },
  );
  routes.put(
    '/api/server/config',
    {
      id: 'updateServerConfig',
      summary: 'Change settings; keys that are left out keep their value',
      description:
        'You can send back the answer of the GET, changed or not. `********` keeps a secret. Settings of the environment or `headgate.yaml` win, and are refused here. All servers apply a change at once, without a restart. A new `ai.base_url` or `ai.provider` needs `ai.api_key` again.',
      body: input,
      answer: configuration,
      sends: ['ETag'],
      errors: ['PRECONDITION_FAILED', 'CONFLICT'],
      bodyLimit: BODY_BYTES_MAX,
    },
    async (request, reply) => {
      const { settings } = request.body;
      const saved = await serverConfigs.change(settings, ifMatch(request), actorOf(request));
      setEtag(reply, saved.version);
      return { settings: saved.settings };
    },
  );
}
