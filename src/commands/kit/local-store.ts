import { stateSettingsOf } from '../../app/state-settings.ts';
import { silentLogger } from '../../base/logger.ts';
import { type Config, loadConfig } from '../../config.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** The settings, or a `CommandError` that tells every problem. */
export function requireConfig(): Config {
  const loaded = loadConfig();
  if (loaded.ok) return loaded.config;
  const problems = loaded.problems.map((problem) => `\n  - ${problem.message}`).join('');
  throw new CommandError(EXIT.config, `The settings have ${loaded.problems.length} problem(s):${problems}`);
}

/** Opens the state store of the settings, brings it to this version's schema, and closes it after the work. */
export async function withLocalStore<T>(work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = requireConfig();
  const store = await openStore(stateSettingsOf(config), silentLogger);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}
