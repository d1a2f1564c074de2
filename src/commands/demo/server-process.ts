import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { endWithin } from '../../base/process/child-process.ts';
import { entryFile } from '../../base/program-files.ts';
import { DemoError } from './demo-error.ts';
import type { DemoFolder } from './demo-folder.ts';

const START_MS_MAX = 30_000;
const STOP_MS_MAX = 9_000;
const LAST_LINES = 4;
/** Where code stood, for those who read the log; nothing for the person in front of the demo. */
const TRACE_LINE = /^\s*(at |\^|\{|\}|Node\.js v|$)/;

/** A `headgate serve` that this process started. */
export interface ServerProcess {
  readonly url: string;
  /** Null where the store has a user already. */
  readonly setupToken: string | null;
  /** Resolves when the server has gone, for whatever reason. */
  readonly exited: Promise<number | null>;
  /** Asks it to stop; resolves when it has gone, after at most 9 s by force. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly folder: DemoFolder;
  readonly port: number;
  /** Folders that connectors may read, beside the demo's own. */
  readonly readableFolders: readonly string[];
  /** Hosts that connectors may reach beside those of the default rules. */
  readonly allowedHosts: readonly string[];
}

/** Starts the server and waits until it answers. What it says goes to the demo's `server.log`. Throws `DemoError`. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, [entryFile('src/main'), 'serve'], {
    cwd: options.folder.path,
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C in the terminal reaches the demo alone, which then stops the server once.
    detached: true,
  });
  const exited = new Promise<number | null>((done) => {
    child.once('error', () => done(null));
    child.once('exit', (code) => done(code));
  });
  const stopAtExit = () => child.kill('SIGTERM');
  process.once('exit', stopAtExit);
  exited.then(() => process.off('exit', stopAtExit));
  const stop = () => stopChild(child, exited);
  try {
    const setupToken = await readyTokenOf(child, exited, options.folder);
    return { url: `http://127.0.0.1:${options.port}`, setupToken, exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** This process's own environment, without settings of another server: they must not lead the demo to its data. */
function environmentOf({ folder, port, readableFolders, allowedHosts }: ServerOptions): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: no setting is read here; what was inherited is handed on to a child.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  return {
    ...Object.fromEntries(inherited),
    SVC_STATE_PATH: folder.statePath,
    SVC_METRICS_PATH: folder.metricsPath,
    SVC_HTTP_PORT: String(port),
    SVC_FILE_ROOTS: [folder.tablesPath, ...readableFolders].join(','),
    SVC_OUTBOUND_ALLOW: allowedHosts.join(','),
    SVC_PUBLIC_DASHBOARD_INPUT_ENABLED: 'true',
    SVC_LOG_LEVEL: 'warn',
  };
}

/** Waits for the line that says that the server is ready; gives the setup token where one was printed. */
async function readyTokenOf(
  child: ChildProcess,
  exited: Promise<number | null>,
  folder: DemoFolder,
): Promise<string | null> {
  const log = createWriteStream(folder.serverLogPath, { flags: 'a', mode: 0o600 });
  exited.then(() => log.end());
  const lastLines: string[] = [];
  const ready = new Promise<string | null>((done) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        const token = /^Setup token: (\S+)$/.exec(line)?.[1];
        // The token makes an administrator; a log is read by more people than the console.
        if (!log.writableEnded) log.write(`${token === undefined ? line : 'Setup token: (not logged)'}\n`);
        if (!TRACE_LINE.test(line)) lastLines.push(line);
        if (lastLines.length > LAST_LINES) lastLines.shift();
        if (token !== undefined) done(token);
        // The token follows at once where there is one: with a kept store there is none.
        else if (folder.kept !== null && line.includes(' is ready at ')) done(null);
      });
    }
  });
  const gone = exited.then((code) => {
    const how = code === null ? 'could not be started' : `has ended with ${code}`;
    const said = lastLines.map((line) => `\n  ${line}`).join('');
    throw new DemoError(`The server ${how}; see ${folder.serverLogPath}${said}`);
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `The server was not ready in ${START_MS_MAX / 1_000} s; see ${folder.serverLogPath}`;
    timer = setTimeout(() => reject(new DemoError(message)), START_MS_MAX);
  });
  gone.catch(() => undefined);
  return Promise.race([ready, gone, late]).finally(() => clearTimeout(timer));
}

async function stopChild(child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const kill = () => {
    try {
      // The whole group, so that nothing which the server started outlives it.
      process.kill(-pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  };
  await endWithin(STOP_MS_MAX, { gone: exited, ask: () => child.kill('SIGTERM'), kill });
}
