import { type Config, loadConfig } from '../../config.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** The settings, or a `CommandError` that tells every problem. */
export function requireConfig(): Config {
  const loaded = loadConfig();
  if (loaded.ok) return loaded.config;
  const problems = loaded.problems.map((problem) => `\n  - ${problem.message}`).join('');
  throw new CommandError(EXIT.config, `The settings have ${loaded.problems.length} problem(s):${problems}`);
}
