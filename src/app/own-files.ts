import { dirname, join, resolve } from 'node:path';
import { type Config, configFile } from '../config.ts';
import type { DriverFile } from '../drivers/custom/driver-file.ts';
import type { ConnectContext } from '../drivers/driver.ts';
import type { Plugin } from '../drivers/plugins/plugin.ts';
import { defaultSpoolDir } from '../executor/log/spool-folder.ts';
import type { ScriptAccess } from '../language/task/steps/script/script-access.ts';
import type { Store } from '../store/store.ts';
import { lockPathOf } from './state-lock.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const ENVIRONMENTS_FOLDER = 'environments';
const KEY_FILE = 'headgate.key';

/** Where the master key lies when no setting gives it: beside the embedded store, else in the working folder. */
export function keyFileOf({ state }: Pick<Config, 'state'>): string {
  const path = state.localdb?.path;
  return join(path === undefined ? process.cwd() : dirname(resolve(path)), KEY_FILE);
}

/** The server's own files and folders, which no connector may open: stores, key, settings, TLS, spools. Absolute paths. */
export function ownFilesOf(config: Config, store: Pick<Store, 'files'>): readonly string[] {
  const { tls } = config.grpc;
  const tlsFiles = tls === null ? [] : [tls.cert, tls.key, tls.client_ca];
  const lock = config.state.localdb === undefined ? [] : [lockPathOf(config.state.localdb.path)];
  const files = [...store.files, ...lock, config.metrics.path, keyFileOf(config), configFile(), ...tlsFiles];
  const given = files.filter((path) => path !== undefined && path !== null);
  return [...given, defaultSpoolDir()].map((path) => resolve(path));
}

/**
 * Where file connectors may reach, which is the configured folders without the server's own files, and what steps may use; with the
 * drivers that were found.
 */
export function fileAccessOf(
  config: Config,
  store: Pick<Store, 'files'>,
  drivers: readonly DriverFile[] = [],
) {
  return {
    fileRoots: config.files.roots.map((root) => resolve(root)),
    forbiddenFiles: ownFilesOf(config, store),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ...stepAccessOf(config),
    plugins: pluginsOf(config),
    drivers,
  };
}

/** The drivers of the setting, sought from the working folder of this process; `NOT_READY` for one that cannot be used. */
export async function driverFilesOf({ drivers }: Pick<Config, 'drivers'>): Promise<readonly DriverFile[]> {
  if (drivers.length === 0) return [];
  const { findDriverFiles } = await import('../drivers/custom/load-driver-file.ts');
  return findDriverFiles(drivers, process.cwd());
}

/** Programs that connectors may start; a path is relative to the working folder of this process. */
export function pluginsOf({ plugins }: Pick<Config, 'plugins'>): readonly Plugin[] {
  return plugins.map(({ name, command: [program = '', ...args], folder, memory_mb: memoryMb }) => ({
    name,
    command: [program.includes('/') ? resolve(program) : program, ...args],
    folder: folder === null ? null : resolve(folder),
    memoryMb,
  }));
}

/** What queries and script steps may use; without `scripts` where those are switched off. */
export function stepAccessOf({
  scripts,
  sql,
}: Pick<Config, 'scripts' | 'sql'>): Pick<ConnectContext, 'scripts' | 'sql'> {
  const limits = { sql: { memoryMb: sql.memory_mb, diskMb: sql.disk_mb } };
  return scripts.allow === 'off' ? limits : { ...limits, scripts: scriptAccessOf({ scripts }) };
}

/** What script steps may use, whoever may save them; paths are absolute. */
export function scriptAccessOf({ scripts }: Pick<Config, 'scripts'>): ScriptAccess {
  const { python, memory_mb: memoryMb, uv, environments, packages, read, write, network } = scripts;
  return {
    python,
    memoryMb,
    uv: uv === null ? null : { program: uv, folder: resolve(environments ?? ENVIRONMENTS_FOLDER) },
    packages: Object.fromEntries(packages.map(({ name, folder }) => [name, resolve(folder)])),
    grants: {
      read: read.map((folder) => resolve(folder)),
      write: write.map((folder) => resolve(folder)),
      network,
    },
  };
}
