import { z } from 'zod';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { PluginSpecs } from './plugin-specs.ts';

const group = {
  tag: 'Connectors',
  read: member('editor', 'connectors:read'),
  write: member('admin', 'connectors:write'),
};

const params = z.object({ name: z.string().min(1).max(100) });
const spec = z
  .object({
    plugin: z.string(),
    config: z
      .record(z.string(), z.unknown())
      .describe(
        'JSON Schema of `config` and `secrets` of the connector, which are merged; what is secret has `writeOnly: true`. `x-discriminator` beside a `oneOf` names the property whose constant tells the alternatives apart.',
      ),
  })
  .meta({
    id: 'PluginSpec',
    examples: [
      {
        plugin: 'faker',
        config: { type: 'object', properties: { count: { type: 'integer', minimum: 1, default: 1000 } } },
      },
    ],
  });

/** Programs of the settings that connectors name. */
export function registerPluginRoutes(app: App, specs: PluginSpecs): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/connectors/plugins',
    {
      id: 'listPlugins',
      summary: 'Names of the plug-ins that connectors may use here',
      answer: z.object({ result: z.array(z.object({ name: z.string() })) }),
    },
    async () => ({ result: specs.names().map((name) => ({ name })) }),
  );
  routes.get(
    '/api/connectors/plugins/:name/spec',
    {
      id: 'getPluginSpec',
      summary: 'The configuration that an Airbyte source takes',
      description:
        'Runs the program with `spec`; the result is cached for ten minutes, or until the program’s file changes. A configuration that does not match the specification is refused when the connector is saved.',
      params,
      answer: spec,
      errors: ['CONNECTOR_ERROR', 'NOT_READY'],
    },
    async ({ params: { name } }) => specs.spec(name),
  );
}
