import type { Problem } from '../../base/errors.ts';
import { type Config, loadConfig } from '../../config.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** The settings, or a `CommandError` that tells every problem. */
export function requireConfig(): Config {
  const loaded = loadConfig();
  if (loaded.ok) return loaded.config;
  throw new CommandError(EXIT.config, settingsProblems(loaded.problems));
}

/** All that is wrong with the settings, a line each below their number. */
export function settingsProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return [`The settings have ${count}:`, ...problems.map(({ message }) => `  - ${message}`)].join('\n');
}
