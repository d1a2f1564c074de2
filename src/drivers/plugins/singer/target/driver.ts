import type { Driver } from '../../../driver.ts';
import { PLUGIN_HOST_KEYS, PLUGIN_SECRETS } from '../../plugin-config.ts';
import { singerTargetConfig } from './config.ts';

/** Rows between two states that the target is to acknowledge. */
const writeBatchRows = 10_000;

const load = () => import('./connect.ts');

/** Any target of the Singer specification, as a program of the server's settings. */
export const singerTargetDriver: Driver = {
  type: 'singer_target',
  title: 'Singer target',
  capabilities: {
    write: ['append', 'upsert'],
    introspect: false,
    writeBatchRows,
    keepsWhatWasSent: true,
  },
  config: singerTargetConfig,
  secrets: PLUGIN_SECRETS,
  hostKeys: PLUGIN_HOST_KEYS,
  methods: [],
  preload: load,
  connect: async (config, context) => (await load()).connectSingerTarget(config, context),
};
