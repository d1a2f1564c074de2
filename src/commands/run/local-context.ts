import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ConnectContext } from '../../drivers/driver.ts';
import type { ScriptAccess } from '../../language/task/steps/script/script-access.ts';

/** The program that installs, where the settings name none. */
const UV = 'uv';
const CONNECT_TIMEOUT_MS = 10_000;

/** The author of a task that is run or tested here is who runs it. */
const LOCAL_SCRIPTS: ScriptAccess = {
  python: 'python3',
  memoryMb: 1_024,
};

/**
 * What the script steps of a local command may use: what the settings name, where there are such steps. Throws `CommandError` for settings
 * that are not valid.
 */
export async function localScripts(hasScripts: boolean): Promise<ScriptAccess> {
  // The settings' code takes a good part of a short run's time.
  if (!hasScripts) return LOCAL_SCRIPTS;
  const { requireConfig } = await import('../kit/require-config.ts');
  const { scriptAccessOf } = await import('../../app/own-files.ts');
  const { scripts } = requireConfig();
  const environments = scripts.environments ?? join(homedir(), '.cache', 'headgate', 'environments');
  const access = scriptAccessOf({ scripts: { ...scripts, environments, uv: scripts.uv ?? UV } });
  return { ...access, ...LOCAL_SCRIPTS, python: scripts.python ?? LOCAL_SCRIPTS.python };
}

/**
 * Where the connectors of a local run may reach: these folders, and any address but a cloud's metadata services. Whoever starts it may
 * reach this machine anyway.
 */
export function localContext(
  folders: readonly string[],
  {
    plugins = [],
    drivers = [],
    scripts = LOCAL_SCRIPTS,
  }: Pick<ConnectContext, 'plugins' | 'drivers' | 'scripts'> = {},
): ConnectContext {
  return {
    fileRoots: folders.map((folder) => resolve(folder)),
    forbiddenFiles: [],
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    scripts,
    plugins,
    drivers,
    outbound: { policy: 'block-metadata', allow: ['127.0.0.0/8', '::1/128'], ownPorts: [] },
  };
}
