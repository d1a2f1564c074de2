import type { Plugin } from '../../drivers/plugins/plugin.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';

/** Connector types whose work a program of the settings does. */
const PLUGIN_TYPES: readonly string[] = ['airbyte', 'singer', 'singer_target'];

/**
 * The programs that connectors of a local run may start: those of `--plugin name=command`, then those of SVC_PLUGINS. None where no
 * connector needs one. Throws `CommandError` for settings that are not valid.
 */
export async function localPlugins(
  types: readonly string[],
  given: readonly string[] = [],
): Promise<readonly Plugin[]> {
  // The settings' code takes a good part of a short run's time.
  if (!types.some((type) => PLUGIN_TYPES.includes(type))) return [];
  const { requireConfig } = await import('../kit/require-config.ts');
  const { plugins } = await import('../../base/settings/plugin-settings.ts');
  const { pluginsOf } = await import('../../app/own-files.ts');
  const config = requireConfig();
  const named = given.flatMap((text) => {
    const parsed = plugins.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new CommandError(EXIT.usage, `--plugin "${text}" must be written as name=command`);
  });
  return pluginsOf({ plugins: [...named, ...config.plugins] });
}
