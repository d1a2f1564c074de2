import { createServer } from 'node:net';
import { relative } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { formatSeconds } from '../base/text/format-figures.ts';
import { ApiError } from '../client/api-error.ts';
import { createClient } from '../client/create-client.ts';
import { createDemoConsole, type DemoConsole } from './demo/demo-console.ts';
import { DemoError } from './demo/demo-error.ts';
import { type DemoFolder, type DemoRecord, openDemoFolder } from './demo/demo-folder.ts';
import { createFirstUser } from './demo/first-user.ts';
import { followJobRun } from './demo/follow-job-run.ts';
import { goThroughStores } from './demo/four-stores/go-through-stores.ts';
import { findStorePrograms, type Stores, startStores } from './demo/four-stores/start-stores.ts';
import { installFlights } from './demo/install-flights.ts';
import { createRunProgress } from './demo/run-progress.ts';
import { printCounts, printFailure, printSteps } from './demo/run-report.ts';
import { type ServerProcess, startServer } from './demo/server-process.ts';
import { openSignInLink, type SignInLink } from './demo/sign-in-link.ts';
import { checkCounts, findSourceFiles, type SourceFiles } from './demo/source-files.ts';
import { buildPages } from './kit/build-pages.ts';
import { toldByServer } from './server/told-by-server.ts';

/** Exit code of a program that was ended from outside. */
const EXIT_INTERRUPTED = 130;

export interface DemoOptions {
  /** Take rows through PostgreSQL, MongoDB, object storage and SQLite too. */
  readonly all: boolean;
  /** End when the counts are checked, instead of serving until Ctrl-C. */
  readonly exit: boolean;
  /** Port of the server; null takes 8080 or the next free one. */
  readonly port: number | null;
  /** Serve the data of the last demo, where there is some, instead of beginning anew. */
  readonly keep: boolean;
}

/**
 * `headgate demo`: sets up a server of its own as a client of its API, moves three million real rows, checks that all of them
 * arrived and shows them on a shared page. Everything it makes is in `data/demo`. Resolves with the exit code: 0 when every
 * count is right, 1 with a message when something failed.
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const out = createDemoConsole(process.stdout);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  let stores: Stores | null = null;
  let server: ServerProcess | null = null;
  let link: SignInLink | null = null;
  try {
    out.line(
      'Headgate demo: US flights of 2001 from Parquet and CSV files, through a pipeline, onto a shared page',
    );
    out.line();
    await preparePages(out);
    const sources = await findSourceFiles();
    stores = options.all ? await openStores(out, options) : null;
    const folder = openDemoFolder(process.cwd(), options.keep);
    const port = await freePort(options.port);
    stop.signal.throwIfAborted();
    server = await startServer({
      folder,
      port,
      readableFolders: [sources.folder],
      // Two of the stores are connectors that may not reach this machine otherwise.
      allowedHosts: stores === null ? [] : ['127.0.0.1'],
    });
    out.item('server', `${server.url} (data in ${relative(process.cwd(), folder.path)})`);
    const record = folder.kept ?? (await setUp(out, folder, server, sources));
    const isMoved =
      folder.kept !== null ||
      (await moveFlights(out, { folder, server, sources, record, signal: stop.signal }));
    const isRight =
      isMoved &&
      printCounts(out, checkCounts(folder.warehousePath, sources)) &&
      (stores === null ||
        (await goThroughStores(out, {
          ...{ folder, url: server.url, apiKey: record.apiKey, stores },
          ...{ sourceFolder: sources.folder, signal: stop.signal },
        })));
    if (isRight) folder.save(record);
    if (options.exit || !isRight) return isRight ? 0 : 1;
    link = await openSignInLink({ url: server.url, user: record });
    printAddresses(out, server.url, record, link.address);
    return await serveUntilStopped(out, server, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return EXIT_INTERRUPTED;
    out.line();
    out.line(`The demo cannot continue. ${told(error)}`);
    return 1;
  } finally {
    await link?.close();
    await server?.stop();
    await stores?.stop();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
  }
}

/** What went wrong, without a stack; faults that nobody foresaw say at least where they are to be reported. */
function told(error: unknown): string {
  if (error instanceof DemoError) return error.message;
  if (error instanceof ApiError) return toldByServer(error);
  return `This is a bug in the demo; please report it: ${messageOf(error)}`;
}

async function openStores(out: DemoConsole, { keep }: DemoOptions): Promise<Stores> {
  if (keep) throw new DemoError('"all" starts with empty stores: remove --keep');
  const programs = findStorePrograms();
  out.live('  stores      starting …');
  const stores = await startStores(programs);
  out.item('stores', 'PostgreSQL, MongoDB and object storage are ready');
  return stores;
}

async function preparePages(out: DemoConsole): Promise<void> {
  const startedAt = Date.now();
  out.live('  pages       building …');
  const outcome = await buildPages().catch((error: unknown) => {
    throw new DemoError(`Building the pages failed: ${messageOf(error)}`);
  });
  const took = formatSeconds(Date.now() - startedAt);
  out.item('pages', outcome === 'built' ? `built in ${took}` : 'up to date');
}

async function setUp(
  out: DemoConsole,
  folder: DemoFolder,
  server: ServerProcess,
  sources: SourceFiles,
): Promise<DemoRecord> {
  if (server.setupToken === null) throw new DemoError('The server printed no setup token');
  const user = await createFirstUser(server.url, server.setupToken);
  out.item('account', `${user.email}: first user, signed in with a one-time code, API key made`);
  const api = createClient({ server: server.url, token: user.apiKey });
  const made = await installFlights(api, sources, folder.warehousePath);
  out.item(
    'job',
    `3 connectors, ${made.tasks} tasks, a template, a dashboard, a nightly trigger, a share link`,
  );
  return { ...user, jobId: made.jobId, sharePath: made.sharePath };
}

interface Installed {
  readonly folder: DemoFolder;
  readonly server: ServerProcess;
  readonly sources: SourceFiles;
  readonly record: DemoRecord;
  readonly signal: AbortSignal;
}

/** Runs the job to its end; false, with the reason printed, where it has not ended well. */
async function moveFlights(out: DemoConsole, installed: Installed): Promise<boolean> {
  const { folder, server, sources, record } = installed;
  const api = createClient({ server: server.url, token: record.apiKey });
  out.line();
  const totals = { airports: sources.airports, flights: sources.flights };
  const jobRun = await followJobRun(api, record.jobId, createRunProgress(out, totals), installed.signal);
  if (jobRun.status !== 'success') {
    await printFailure(out, api, jobRun, { url: server.url, serverLogPath: folder.serverLogPath });
    return false;
  }
  await printSteps(out, api, jobRun);
  return true;
}

function printAddresses(out: DemoConsole, url: string, record: DemoRecord, signIn: string): void {
  out.line();
  out.line(`  Dashboard   ${url}${record.sharePath}`);
  out.line();
  out.item('Page', signIn);
  out.item('', 'signs you in, once, within ten minutes; afterwards:');
  out.item('Sign in', `${url}/sign-in`);
  out.item('', `${record.email}   password ${record.password}`);
  out.item('', `TOTP secret ${record.totpSecret} (for an authenticator app)`);
  out.item('API key', record.apiKey);
  out.item('', `curl -H "Authorization: Bearer ${record.apiKey}" ${url}/api/jobs`);
  out.line();
  out.line('  Serving until Ctrl-C.');
}

async function serveUntilStopped(
  out: DemoConsole,
  server: ServerProcess,
  signal: AbortSignal,
): Promise<number> {
  const stopped = new Promise<'stopped'>((done) => {
    if (signal.aborted) done('stopped');
    else signal.addEventListener('abort', () => done('stopped'), { once: true });
  });
  const ended = await Promise.race([stopped, server.exited]);
  if (ended !== 'stopped') throw new DemoError(`The server exited unexpectedly (${ended ?? 'by a signal'})`);
  out.line();
  out.line('  Stopping …');
  return 0;
}

const PORT_DEFAULT = 8080;
const PORTS_TRIED = 100;

/** `wanted`, or the first free port from 8080 on where nothing is wanted. Throws `DemoError` where there is none. */
async function freePort(wanted: number | null): Promise<number> {
  if (wanted !== null) {
    if (wanted > 0 && wanted <= 65_535 && (await isFree(wanted))) return wanted;
    throw new DemoError(`The port ${wanted} cannot be used; choose another with --port, or omit it`);
  }
  for (let port = PORT_DEFAULT; port < PORT_DEFAULT + PORTS_TRIED; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new DemoError(`No port from ${PORT_DEFAULT} upwards is free; choose one with --port`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
