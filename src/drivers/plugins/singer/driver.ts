import type { Driver } from '../../driver.ts';
import { PLUGIN_HOST_KEYS, PLUGIN_SECRETS } from '../plugin-config.ts';
import { singerConfig, singerReadArgs } from './config.ts';

const load = () => import('./connect.ts');

/** Any tap of the Singer specification, as a program of the server's settings. */
export const singerDriver: Driver = {
  type: 'singer',
  title: 'Singer tap',
  capabilities: { write: [], introspect: true },
  config: singerConfig,
  secrets: PLUGIN_SECRETS,
  hostKeys: PLUGIN_HOST_KEYS,
  methods: [
    {
      name: 'read',
      summary: 'Reads the records of a stream',
      kind: 'rows',
      args: singerReadArgs,
      cursor: { kind: 'state' },
    },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectSinger(config, context),
};
