import type { Driver } from '../../driver.ts';
import { PLUGIN_HOST_KEYS, PLUGIN_SECRETS } from '../plugin-config.ts';
import { airbyteConfig, airbyteReadArgs, airbyteSpecArgs } from './config.ts';

const load = () => import('./connect.ts');

/** Any source that speaks the Airbyte protocol, as a program of the server's settings. */
export const airbyteDriver: Driver = {
  type: 'airbyte',
  title: 'Airbyte source',
  capabilities: { write: [], introspect: true },
  config: airbyteConfig,
  secrets: PLUGIN_SECRETS,
  hostKeys: PLUGIN_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the records of a stream',
      kind: 'rows',
      args: airbyteReadArgs,
      cursor: { kind: 'state' },
    },
    {
      name: 'spec',
      summary: 'Returns the JSON Schema of the source’s configuration',
      kind: 'value',
      args: airbyteSpecArgs,
    },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectAirbyte(config, context),
};
