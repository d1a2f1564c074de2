import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { MAIN } from '../../support/program.ts';
import { scripted } from './script-scene.ts';

const rows = [{ n: 1 }];
const RUN = '(item) => ({ got: String(run(item)) })';

/** Processes whose command line holds this text. */
function running(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

t.test('code has no process, no environment, no network and no way to get them', async (t) => {
  const gone: readonly (readonly [string, RegExp])[] = [
    [
      'const run = () => typeof process + typeof fetch + typeof WebSocket + typeof require',
      /^undefined{1}(undefined){3}$/,
    ],
    ["const run = () => globalThis.constructor.constructor('return process')()", /./],
    ['const run = () => Object.keys(console).join()', /^log,info,debug,warn,error$/],
    [
      'const run = () => { try { throw new Error(); } catch (e) { Error.prepareStackTrace = (_, s) => s.map((c) => typeof c.getThis()).join(); return new Error().stack; } }',
      /^undefined(,undefined)*$/,
    ],
  ];
  for (const [code, expected] of gone) {
    const { written, failure } = await scripted({ rows, code: `${code};\nexport default ${RUN}` });
    if (failure === null) t.match(String(written[0]?.['got']), expected, code);
    else t.match(failure.message, /Code generation from strings disallowed/, code);
    t.notMatch(String(written[0]?.['got']), /\[object process\]/, code);
  }
  const names = [
    'fs',
    'node:net',
    'child_process',
    'worker_threads',
    'module',
    'process',
    'http',
    'vm',
    'inspector',
    'os',
    '/etc/passwd',
    'data:text/javascript,1',
    'zod',
  ];
  const tried = names.map(
    (name) => `await import(${JSON.stringify(name)}).then(() => 'in', (error) => error.message)`,
  );
  const { written } = await scripted({
    rows,
    code: `export default async () => ({ got: [${tried.join()}] });`,
  });
  const got = written[0]?.['got'] as string[];
  for (const [index, name] of names.entries()) t.match(got[index], /cannot be imported in a script/, name);
});

t.test('code reaches no server, not even by what Node keeps for itself', ofFullList, async (t) => {
  let reached = 0;
  const server = createServer((_, response) => void response.end(String(++reached)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const code = `export default async () => {
    const found = [];
    for (const at of [globalThis.fetch, console._stdout, globalThis.process, setTimeout(() => 0).constructor.prototype])
      try { found.push(await at?.('http://127.0.0.1:${port}')); } catch {}
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const one = globalThis[name];
      if (typeof one?.getBuiltinModule === 'function') found.push(one.getBuiltinModule('net'));
      if (typeof one?.binding === 'function') found.push(one.binding('tcp_wrap'));
    }
    return { got: found.filter((one) => one !== undefined).length };
  }`;
  const { written, failure } = await scripted({ rows, code });
  t.match([failure, written[0]], [null, { got: 0 }]);
  t.equal(reached, 0);
});

t.test(
  'an endless loop, an endless wait and a process that ends half way fail the step in time',
  ofFullList,
  async (t) => {
    for (const code of [
      'export default () => { for (;;); }',
      'export default () => new Promise(() => undefined)',
    ]) {
      const from = Date.now();
      const { failure } = await scripted({ rows, code, keys: { item_timeout: '1s' } });
      t.match(
        failure,
        { code: 'SCRIPT_ERROR', message: /longer than 1 s for an item \(number 1 or one shortly after/ },
        code,
      );
      t.ok(Date.now() - from < 15_000);
    }
    const slow =
      'export default async (item) => { await new Promise((done) => setTimeout(done, 700)); return item; }';
    const many = Array.from({ length: 4 }, (_, n) => ({ n }));
    t.match(await scripted({ rows: many, code: slow, keys: { item_timeout: '3s' } }), { status: 'success' });
  },
);

t.test('memory is bounded, on the heap and beside it', ofFullList, async (t) => {
  const heap =
    'export default () => { const all = []; for (;;) all.push(new Array(1000).fill(Math.random())); }';
  const beside =
    'export default () => { const all = []; for (;;) all.push(new Uint8Array(10_000_000).fill(1)); }';
  for (const code of [heap, beside]) {
    const { failure } = await scripted({ rows, code, access: { memoryMb: 96 } });
    t.match(
      failure,
      { code: 'SCRIPT_ERROR', message: /more than 96 MB of memory: see SVC_SCRIPT_MEMORY_MB/ },
      code,
    );
  }
  const large = `export default () => ({ text: 'x'.repeat(70_000_000) })`;
  t.match((await scripted({ rows, code: large, access: { memoryMb: 1_024 } })).failure, {
    message: /more than 64 MB for one batch/,
  });
});

t.test('a run that is cancelled takes the process of its script along', async (t) => {
  const cancel = new AbortController();
  const mark = `--max-old-space-size=${Math.round(777 * 0.75)}`;
  const code = 'export default () => { for (;;); }';
  const run = scripted({ rows, code, access: { memoryMb: 777 }, signal: cancel.signal });
  for (let tries = 0; tries < 400 && running(mark).length === 0; tries++) await sleep(25);
  t.equal(running(mark).length, 1);
  cancel.abort();
  t.match(await run, { status: 'cancelled' });
  for (let tries = 0; tries < 200 && running(mark).length > 0; tries++) await sleep(25);
  t.same(running(mark), []);
});

t.test('a script that never ends dies with its runner', ofFullList, async (t) => {
  const task = {
    version: 1,
    name: 'endless',
    connectors: { source: { type: 'dummy' } },
    steps: [
      { id: 'read', kind: 'extract', connector: 'source', method: 'list' },
      { id: 'change', kind: 'script', input: 'read', code: 'export default () => { for (;;); }' },
    ],
  };
  const folder = t.testdir({
    'task.yaml': JSON.stringify(task),
    'connectors.yaml': JSON.stringify({
      source: { type: 'dummy', config: { generate: { count: 1, columns: ['id'] } } },
    }),
  });
  const command = spawn(process.execPath, [MAIN, 'run', 'task.yaml'], {
    cwd: folder,
    stdio: 'ignore',
  });
  t.teardown(() => command.kill('SIGKILL'));
  const scripts = () => running('script-child').filter((pid) => isBelow(pid, command.pid));
  for (let tries = 0; tries < 800 && scripts().length === 0; tries++) await sleep(25);
  const [script = ''] = scripts();
  t.not(script, '');
  process.kill(parentOf(script), 'SIGKILL');
  for (let tries = 0; tries < 400 && existsSync(`/proc/${script}`); tries++) await sleep(25);
  t.notOk(existsSync(`/proc/${script}`));
});

function parentOf(pid: string | number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function isBelow(pid: string | number, ancestor: number | undefined): boolean {
  for (let at = parentOf(pid); at > 1; at = parentOf(at)) if (at === ancestor) return true;
  return false;
}
