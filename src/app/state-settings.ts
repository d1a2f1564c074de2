import type { Config } from '../config.ts';
import type { StateSettings } from '../store/open-store.ts';

/** Where the settings say that the state lives. */
export function stateSettingsOf(config: Pick<Config, 'state' | 'memory'>): StateSettings {
  const { localdb, serverdb } = config.state;
  if (serverdb !== undefined) return { kind: 'serverdb', url: serverdb.url, poolMax: serverdb.pool_max };
  const cacheMb = config.memory.sqlite_cache_mb;
  return { kind: 'localdb', path: localdb?.path ?? './state.db', cacheMb };
}
