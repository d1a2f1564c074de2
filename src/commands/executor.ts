import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { driverFilesOf, pluginsOf, stepAccessOf } from '../app/own-files.ts';
import { messageOf } from '../base/errors.ts';
import { requireFolders } from '../base/files/require-folders.ts';
import { readTlsFile } from '../base/files/tls-file.ts';
import { configFile, loadConfig } from '../config.ts';
import type { DriverFile } from '../drivers/custom/driver-file.ts';
import { isHttpAddress, runExecutor } from '../executor/executor-main.ts';
import { defaultSpoolDir } from '../executor/log/spool-folder.ts';
import type { GrpcClientTls } from '../protocol/client/channel.ts';
import { version } from '../version.ts';

const EXIT_USAGE = 64;
const EXIT_CONFIG = 78;
const CONNECT_TIMEOUT_MS = 10_000;

/** Options of `headgate executor`, as the command line gives them. */
export interface ExecutorOptions {
  readonly server: string;
  readonly key?: string;
  readonly name?: string;
  readonly slots: number;
  readonly label?: readonly string[];
  readonly fileRoot?: readonly string[];
  readonly ca?: string;
  readonly cert?: string;
  readonly certKey?: string;
}

/** `headgate executor`: works for a remote control plane until it is asked to stop. Resolves with the exit code. */
export async function executor(options: ExecutorOptions): Promise<number> {
  const loaded = loadConfig();
  if (!loaded.ok) {
    for (const problem of loaded.problems) console.error(problem.message);
    return EXIT_CONFIG;
  }
  const { config } = loaded;
  const key = options.key ?? config.executor.key;
  if (key === null) {
    console.error('No executor key: pass --key, or set SVC_EXECUTOR_KEY to the server’s');
    return EXIT_USAGE;
  }
  const wrongServer = wrongAddress(options.server);
  if (wrongServer !== null) {
    console.error(wrongServer);
    return EXIT_USAGE;
  }
  const labels = (options.label ?? []).map((label) => label.split('=', 2));
  const wrong = labels.find(([name, value]) => !name || value === undefined);
  if (wrong !== undefined) {
    console.error(`The label "${wrong.join('=')}" must be written as name=value`);
    return EXIT_USAGE;
  }
  const fileRoots = (options.fileRoot ?? config.files.roots).map((root) => resolve(root));
  let tls: GrpcClientTls | undefined;
  let drivers: readonly DriverFile[];
  try {
    drivers = await driverFilesOf(config);
    tls = tlsOf(options);
    requireFolders(fileRoots, options.fileRoot === undefined ? 'SVC_FILE_ROOTS' : '--file-root');
  } catch (error) {
    console.error(messageOf(error));
    return EXIT_CONFIG;
  }
  return runExecutor({
    server: options.server,
    key,
    ...(tls === undefined ? {} : { tls }),
    name: options.name ?? hostname(),
    slots: options.slots,
    labels: Object.fromEntries(labels) as Record<string, string>,
    version,
    logLevel: config.log.level,
    logFormat: config.log.format,
    access: {
      fileRoots,
      forbiddenFiles: ownFilesOf(options),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      ...stepAccessOf(config),
      plugins: pluginsOf(config),
      drivers,
    },
    outbound: config.outbound,
    embedded: false,
  });
}

/** What no connector of this executor may open: its settings, the keys it connects with, its spool. */
function ownFilesOf({ cert, certKey }: ExecutorOptions): readonly string[] {
  const files = [configFile(), cert, certKey, defaultSpoolDir()];
  return files.filter((path) => path !== undefined).map((path) => resolve(path));
}

/** What is wrong with an `http://` or `https://` address; any other is one of the gRPC service. */
function wrongAddress(server: string): string | null {
  if (!isHttpAddress(server)) return null;
  const plain = 'Write --server as http://host:port or https://host:port';
  if (!URL.canParse(server)) return `The address "${server}" is not a URL. ${plain}`;
  const { username, password, search, hash } = new URL(server);
  if (username !== '' || password !== '')
    return `The address must not contain credentials. ${plain}, and pass the key with --key`;
  if (search !== '' || hash !== '') return `The address "${server}" has more than a path. ${plain}`;
  return null;
}

function tlsOf({ ca, cert, certKey }: ExecutorOptions): GrpcClientTls | undefined {
  if (ca === undefined && cert === undefined) return undefined;
  return {
    ...(ca === undefined ? {} : { ca: readTlsFile(ca, '--ca') }),
    ...(cert === undefined ? {} : { cert: readTlsFile(cert, '--cert') }),
    ...(certKey === undefined ? {} : { key: readTlsFile(certKey, '--cert-key') }),
  };
}
