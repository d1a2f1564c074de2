import { type ConnectContext, ConnectorError } from '../driver.ts';
import type { Plugin } from './plugin.ts';

/** Throws `CONFIG` where no plug-in has this name here. */
export function pluginNamed({ plugins = [] }: Pick<ConnectContext, 'plugins'>, name: string): Plugin {
  const found = plugins.find((plugin) => plugin.name === name);
  if (found !== undefined) return found;
  const names = plugins.map((plugin) => `"${plugin.name}"`).join(', ');
  const known = names === '' ? 'none is set up here' : `there are ${names}`;
  throw new ConnectorError(
    'CONFIG',
    `There is no plug-in "${name}" here (${known}): add it to SVC_PLUGINS, or in "headgate run" with --plugin ${name}=COMMAND`,
  );
}
