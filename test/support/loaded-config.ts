import { type Config, loadConfig } from '../../src/config.ts';

/** No file: the settings are those of the environment alone. */
export const NO_FILE = { SVC_CONFIG_FILE: '/dev/null' };

type Env = Readonly<Record<string, string>>;

/** The settings of an environment. Throws where they are refused. */
export function configOf(env: Env): Config {
  const loaded = loadConfig({ ...NO_FILE, ...env });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  return loaded.config;
}

/** Why they are refused; nothing where they are not. */
export function problemsOf(env: Env): string[] {
  const loaded = loadConfig({ ...NO_FILE, ...env });
  return loaded.ok ? [] : loaded.problems.map(({ message }) => message);
}
