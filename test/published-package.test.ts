import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Test } from 'tap';
import t from 'tap';
import { ofFullList } from './support/fault-list.ts';
import { runCli } from './support/run-cli.ts';
import { type Served, serve, until } from './support/served.ts';

/** Exit code of a program that was ended from outside. */
const EXIT_INTERRUPTED = 130;
const root = join(import.meta.dirname, '..');
const TASK = `
version: 1
name: load_numbers
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ set: { double: "item.id * 2" } }] }
  - { id: write, kind: load, input: shape, connector: target, object: numbers, mode: replace }
`;
/** The same from another type of file, by a query. */
const QUERIED = TASK.replace('type: csv', 'type: parquet').replace(
  /\{ id: shape.*/,
  '{ id: shape, kind: sql, inputs: { t: read }, query: "SELECT id, id * 2 AS double FROM t" }',
);

/** What `npm ci --omit=dev` puts beside the package, linked; outside the checkout, so that nothing else is found. */
function install(target: string): void {
  const { packages } = JSON.parse(readFileSync(join(target, 'npm-shrinkwrap.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  for (const path of Object.keys(packages)) {
    if (path === '' || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    symlinkSync(join(root, path), join(target, path));
  }
}

/** Of other platforms, which not every registry has (`.ci/check-lock.ts`). */
const OTHER_ENGINES = /^node_modules\/@duckdb\/node-bindings-(?!linux-x64)/;

/** What `npm ci` takes: all of it with its integrity, and nothing that the checkout replaces by something else. */
function requireLock(t: Test, target: string): void {
  const { packages } = JSON.parse(readFileSync(join(target, 'npm-shrinkwrap.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  for (const [path, { integrity }] of Object.entries(packages))
    if (path !== '' && !OTHER_ENGINES.test(path)) t.match(integrity, /^sha512-/, path);
  const { overrides } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  t.type(overrides, 'object');
}

/** A driver is checked against the declarations of the package, from outside of it, and passes the suite of the package. */
function requireTypesOfDrivers(t: Test, target: string): void {
  const outside = mkdtempSync(join(tmpdir(), 'headgate-driver-'));
  t.teardown(() => rmSync(outside, { recursive: true, force: true }));
  const driver = join(outside, 'tsv-driver.ts');
  copyFileSync(join(target, 'examples/driver/tsv-driver.ts'), driver);
  const modules = join(outside, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  symlinkSync(target, join(modules, 'headgate'));
  for (const name of ['zod', '@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    'node',
  ];
  const checked = (...files: readonly string[]) =>
    spawnSync(process.execPath, [tsc, ...options, '--preserveSymlinks', ...files], {
      cwd: outside,
      encoding: 'utf8',
    }).stdout;
  const main = join(target, 'src/main.js');
  execFileSync(process.execPath, [main, 'driver', 'new', 'my_store'], { cwd: outside });
  t.equal(checked(driver, join(outside, 'my_store-driver.ts')), '');
  const wrong = join(outside, 'wrong-driver.ts');
  writeFileSync(wrong, readFileSync(driver, 'utf8').replace(`write: ['replace']`, `write: ['overwrite']`));
  t.match(checked(wrong), /Type '"overwrite"' is not assignable/);
  t.match(
    execFileSync(process.execPath, [main, 'driver', 'test', driver], { encoding: 'utf8' }),
    / 0 failed/,
  );
}

function rowsOf(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare('SELECT id, double FROM numbers ORDER BY id').all();
  db.close();
  return rows.map((row) => ({ ...row }));
}

async function runOverApi(served: Served): Promise<{ readonly status: string }> {
  const { api, folder } = served;
  writeFileSync(join(folder, 'numbers.csv'), 'id\n1\n2\n');
  const connector = (name: string, type: string, config: object) =>
    api.post<{ id: number }>('/api/connectors', { name, type, config });
  const source = await connector('s', 'csv', { path: join(folder, 'numbers.csv') });
  const target = await connector('t', 'sqlite', { path: join(folder, 'target.db'), create: true });
  const tested = await api.post<{ ok: boolean }>(`/api/connectors/${source.id}/test`, {});
  t.equal(tested.ok, true, 'a thread of the worker host opens a connector');
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
  const connectors = { source: source.id, target: target.id };
  const { id } = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors });
  return until('the run ends', 30_000, async () => {
    const run = await api.get<{ status: string }>(`/api/runs/${id}`);
    const log = await api.get<{ complete: boolean }>(`/api/runs/${id}/logs`);
    return !['queued', 'running'].includes(run.status) && log.complete && run;
  });
}

t.test(
  'the published package does what the checkout does, with its own dependencies alone',
  ofFullList,
  async (t) => {
    const target = mkdtempSync(join(tmpdir(), 'headgate-package-'));
    t.teardown(() => rmSync(target, { recursive: true, force: true }));
    execFileSync(process.execPath, [join(root, '.ci/build.ts'), target], { stdio: 'pipe' });
    requireLock(t, target);
    install(target);
    const main = join(target, 'src/main.js');
    requireTypesOfDrivers(t, target);
    const served = await serve(t, { SVC_GRPC_REFLECTION: 'true' }, main);
    t.match(await runOverApi(served), { status: 'success' });
    t.same(rowsOf(join(served.folder, 'target.db')), [
      { id: 1, double: 2 },
      { id: 2, double: 4 },
    ]);
    for (const path of ['/api/docs/reference.js', '/api/openapi.json', '/share/none']) {
      const answer = await fetch(`${served.url}${path}`);
      t.equal(answer.status, 200, path);
      // A body that nobody reads keeps its connection.
      t.ok((await answer.arrayBuffer()).byteLength > 0, path);
    }
    t.match(runFile(main, fill(served.folder), 'csv'), /success/);
    const loaded = rowsOf(join(served.folder, 'target.db'));
    t.same(rowsOf(join(served.folder, 'out.db')), loaded);
    const columnData = [{ name: 'id', data: [1, 2], type: 'INT32' as const }];
    writeFileSync(join(served.folder, 'numbers.parquet'), Buffer.from(parquetWriteBuffer({ columnData })));
    t.match(runFile(main, served.folder, 'parquet'), /success/);
    t.same(rowsOf(join(served.folder, 'out.db')), loaded);
    await requireDemo(t, main, served.folder);
  },
);

/** The demo's data are no dependency of the package: whoever wants the demo installs them in a folder of their own. */
async function requireDemo(t: Test, main: string, folder: string): Promise<void> {
  const demo = () => runCli(['demo', '--exit'], { main, cwd: folder });
  const without = await demo();
  t.equal(without.code, 1);
  t.match(without.stdout, /run "npm install vega-datasets@3" in this folder/);
  const data = 'node_modules/vega-datasets';
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, data), join(folder, data));
  await requireDemoStarts(t, main, folder);
}

/** It loads the first table and begins with the second; all of it is moved in `examples/demo.test.ts`. */
async function requireDemoStarts(t: Test, main: string, cwd: string): Promise<void> {
  const child = spawn(process.execPath, [main, 'demo'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill());
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit');
  const began = async () => /airports +success: 3,376 rows/.test(said) && /flights +started/.test(said);
  await until('the demo loads', 60_000, began);
  child.kill('SIGINT');
  t.strictSame(await ended, [EXIT_INTERRUPTED, null], said);
}

function fill(folder: string): string {
  writeFileSync(join(folder, 'csv.yaml'), TASK);
  writeFileSync(join(folder, 'parquet.yaml'), QUERIED);
  return folder;
}

/** `headgate run` with the numbers in a file of this type. */
function runFile(main: string, cwd: string, type: string): string {
  const connectors = [`source=${type}:numbers.${type}`, 'target=sqlite:out.db'];
  const bound = connectors.flatMap((each) => ['--connector', each]);
  return execFileSync(process.execPath, [main, 'run', `${type}.yaml`, ...bound], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}
