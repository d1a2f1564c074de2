import { resolve } from 'node:path';
import type { ConnectContext } from '../../drivers/driver.ts';
import type { ScriptAccess } from '../../language/task/steps/script/script-access.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** The author of a task that is run or tested here is who runs it. */
export const LOCAL_SCRIPTS: ScriptAccess = {
  python: 'python3',
  memoryMb: 1_024,
};

/**
 * Where the connectors of a local run may reach: these folders, and any address but a cloud's metadata services. Whoever starts it may
 * reach this machine anyway.
 */
export function localContext(
  folders: readonly string[],
  { plugins = [], drivers = [] }: Pick<ConnectContext, 'plugins' | 'drivers'> = {},
): ConnectContext {
  return {
    fileRoots: folders.map((folder) => resolve(folder)),
    forbiddenFiles: [],
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    scripts: LOCAL_SCRIPTS,
    plugins,
    drivers,
    outbound: { policy: 'block-metadata', allow: ['127.0.0.0/8', '::1/128'], ownPorts: [] },
  };
}
