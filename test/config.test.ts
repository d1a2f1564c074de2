import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { stepAccessOf } from '../src/app/own-files.ts';
import { isLoopback } from '../src/base/outbound/address.ts';
import { SQL_LIMITS } from '../src/drivers/duckdb/sql-limits.ts';
import { EXECUTOR_PROCESS_LIMITS, withQueryMemory } from '../src/executor/executor-limits.ts';
import { SETTINGS } from '../src/settings.ts';
import { configOf, NO_FILE, problemsOf } from './support/loaded-config.ts';
import { programEnvironment } from './support/program-environment.ts';

const KEY = '4f1d8c07b2a95e63';
const SECRET = `${KEY}${[...KEY].reverse().join('')}`;
const BEYOND = { SVC_HTTP_HOST: '0.0.0.0' };
const SAFE = { SVC_EXECUTOR_KEY: SECRET, SVC_ENCRYPTION_KEY: `${SECRET}e1` };
function fileOf(t: Test, yaml: string): Record<string, string> {
  const path = join(t.testdir(), 'headgate.yaml');
  writeFileSync(path, yaml);
  return { SVC_CONFIG_FILE: path };
}

t.test('without any setting the server is for this machine alone', async (t) => {
  const config = configOf({});
  t.match(config, {
    state: { localdb: { path: './state.db' } },
    http: { host: '127.0.0.1', port: 8080, public_url: null, trust_proxy: 0 },
    grpc: { host: '127.0.0.1' },
    executor: { embedded: true, key: null },
    security: { encryption_key: null },
    public_dashboard_input_enabled: null,
  });
  t.throws(() => ((config.http as { port: number }).port = 1), TypeError, 'frozen in depth');
});

t.test('every problem is told at once, by its path and its name', async (t) => {
  const problems = problemsOf({
    SVC_HTTP_PORT: '99999',
    SVC_STATE_URL: 'mysql://x',
    SVC_LOG_LEVEL: 'loud',
    SVC_EXECUTOR_KEY: 'short',
    SVC_WORKER_THREADS: 'two',
    SVC_HTTP_HSOT: 'x',
    SVC_HTTP_HOST: '0.0.0.0',
  });
  const expected = [
    /^SVC_HTTP_HSOT is not a setting; did you mean SVC_HTTP_HOST\?$/,
    /^state\.serverdb\.url \(SVC_STATE_URL\): must be a postgres:/,
    /^http\.port \(SVC_HTTP_PORT\)/,
    /^executor\.key \(SVC_EXECUTOR_KEY\): must be at least 32/,
    /^workers\.threads \(SVC_WORKER_THREADS\)/,
    /^log\.level \(SVC_LOG_LEVEL\)/,
    /^security\.encryption_key \(SVC_ENCRYPTION_KEY\) is not set: required to listen on "0\.0\.0\.0"/,
  ];
  t.equal(problems.length, expected.length, problems.join('\n'));
  for (const pattern of expected)
    t.ok(
      problems.some((message) => pattern.test(message)),
      String(pattern),
    );
});

t.test('a file gives settings, and the environment wins over it', async (t) => {
  const file = fileOf(
    t,
    'http: {host: 127.0.0.2, port: 9000}\nexecutor: {slots: 7}\nfiles: {roots: [/a, /b]}\n',
  );
  const config = configOf({ ...file, SVC_HTTP_PORT: '9001', SVC_EXECUTOR_SLOTS: '' });
  t.match(config, {
    http: { host: '127.0.0.2', port: 9001 },
    executor: { slots: 7 },
    files: { roots: ['/a', '/b'] },
  });
  t.same(configOf({ ...file, SVC_FILE_ROOTS: ' /c, /d ,' }).files.roots, ['/c', '/d']);
});

t.test('a file that is not there, no YAML, no map, or has unknown keys is refused', async (t) => {
  t.match(problemsOf({ SVC_CONFIG_FILE: '/nowhere/x.yaml' }), [/"\/nowhere\/x.yaml" cannot be read/]);
  t.match(problemsOf(fileOf(t, 'http: [')), [/is not YAML/]);
  t.match(problemsOf(fileOf(t, '- a')), [/must contain a map/]);
  t.match(problemsOf(fileOf(t, 'htpp: {}')), [/^htpp: is not a setting; /]);
  t.match(problemsOf(fileOf(t, 'http: {prot: 1}')), [/^http\.prot: is not a setting; /]);
  t.same(problemsOf(fileOf(t, '')), []);
});

t.test('only a whole number passes for one', async (t) => {
  for (const value of ['null', 'true', '"0x10"', '1.5', '" 8"', '[8080]', '-1', '1e3000'])
    t.equal(problemsOf(fileOf(t, `http: {port: ${value}}`)).length, 1, value);
  for (const value of ['8081', '"8081"']) t.same(problemsOf(fileOf(t, `http: {port: ${value}}`)), [], value);
});

t.test('a number that is none is shown as it was given, with its bounds', async (t) => {
  for (const given of ['-1', 'two', '1.5'])
    t.same(problemsOf({ SVC_EXECUTOR_SLOTS: given }), [
      `executor.slots (SVC_EXECUTOR_SLOTS): must be a whole number from 1 to 256, not "${given}"`,
    ]);
  t.match(problemsOf(BEYOND), [/generate one with: openssl rand -hex 32$/]);
});

t.test('a problem is told in words of a setting, with what was given', async (t) => {
  const words: readonly [Record<string, string> | string, RegExp][] = [
    [
      { SVC_TRUST_PROXY: '20' },
      /^http\.trust_proxy \(SVC_TRUST_PROXY\): must be true, false, a number of proxies.*, not "20"$/,
    ],
    [
      { SVC_PUBLIC_URL: 'headgate.example.com' },
      /must be an http:\/\/ or https:\/\/ address, not "headgate\.example\.com"$/,
    ],
    [{ SVC_PUBLIC_URL: 'ftp://x.example' }, /must be an http:\/\/ or https:\/\/ address, not "ftp:/],
    [
      { SVC_GRPC_TLS_CERT: 'a.pem' },
      /^grpc\.tls\.key \(SVC_GRPC_TLS_KEY\): is not set, and what is set beside it needs it$/,
    ],
    [{ SVC_LOG_LEVEL: 'loud' }, /must be one of trace, debug, .*, not "loud"$/],
    [{ SVC_GRPC_REFLECTION: 'maybe' }, /must be true or false, not "maybe"$/],
    [{ SVC_OUTBOUND_ALLOW: '10.0.0.0/99' }, /"10\.0\.0\.0\/99" is not a host/],
    ['http: 5', /^http: must be a map of settings, not 5$/],
    [
      { SVC_HTTP_HOST: '127.0.0.1:1' },
      /^http\.host \(SVC_HTTP_HOST\): must be a host name or an address alone/,
    ],
    [{ SVC_GRPC_HOST: 'http://localhost' }, /^grpc\.host \(SVC_GRPC_HOST\): must be a host name or an addr/],
    ['http: {host: 5}', /^http\.host \(SVC_HTTP_HOST\): must be text, not 5$/],
    ['files: {roots: {a: 1}}', /must be .*list.* or text/],
    ['http: [', /^"[^\n]* is not YAML: [^\n]* at line 1, column \d+$/],
  ];
  for (const [given, pattern] of words) {
    const problems = problemsOf(typeof given === 'string' ? fileOf(t, given) : given);
    t.equal(problems.length, 1, problems.join('; '));
    t.match(problems[0], pattern);
    t.notMatch(problems[0], /Invalid|received|expected|Unrecognized/);
  }
  t.notMatch(
    problemsOf({ SVC_EXECUTOR_KEY: 'a-short-secret' }).join(),
    'a-short-secret',
    'no secret is shown',
  );
});

t.test('the state store is a file or a server, and the environment names which', async (t) => {
  const url = 'postgres://127.0.0.1/headgate';
  const stateOf = (env: Record<string, string>) => configOf(env).state;
  t.match(stateOf({ SVC_STATE_PATH: '/x.db' }), { localdb: { path: '/x.db' }, serverdb: undefined });
  t.match(stateOf({ SVC_STATE_URL: url }), { localdb: undefined, serverdb: { url, pool_max: 20 } });
  t.match(stateOf({ ...fileOf(t, 'state: {localdb: {path: y.db}}'), SVC_STATE_URL: url }), {
    localdb: undefined,
    serverdb: { url },
  });
  t.match(stateOf({ ...fileOf(t, `state: {serverdb: {url: "${url}"}}`), SVC_STATE_PATH: '/x.db' }), {
    localdb: { path: '/x.db' },
    serverdb: undefined,
  });
  t.match(problemsOf({ SVC_STATE_URL: url, SVC_STATE_PATH: '/x.db' }), [
    /state: has both localdb and serverdb/,
  ]);
  t.match(problemsOf(fileOf(t, `state: {localdb: {path: y.db}, serverdb: {url: "${url}"}}`)), [/has both/]);
});

t.test('beyond loopback a missing or sample secret is refused, and named', async (t) => {
  t.same(problemsOf({ ...BEYOND, ...SAFE }), []);
  t.match(problemsOf({ ...BEYOND, ...SAFE, SVC_ENCRYPTION_KEY: SECRET }), [
    /SVC_ENCRYPTION_KEY\) is the same as executor\.key/,
  ]);
  t.match(problemsOf(BEYOND), [
    /^executor\.key \(SVC_EXECUTOR_KEY\) is not set/,
    /^security\.encryption_key \(SVC_ENCRYPTION_KEY\) is not set/,
  ]);
  t.match(
    problemsOf({
      ...SAFE,
      SVC_GRPC_HOST: '192.168.1.5',
      SVC_EXECUTOR_KEY: 'change-me-change-me-change-me-0123456789',
    }),
    [/^executor\.key \(SVC_EXECUTOR_KEY\) is a sample value: required to listen on "192\.168\.1\.5"/],
  );
  for (const sample of [
    '0'.repeat(64),
    'ab'.repeat(32),
    'example-key-0123456789abcdefghijk',
    'my-secret-0123456789abcdefghijklm',
  ])
    t.match(
      problemsOf({ ...BEYOND, ...SAFE, SVC_ENCRYPTION_KEY: sample }),
      [/SVC_ENCRYPTION_KEY\) is a sample/],
      sample,
    );
  for (const [key, why] of [
    ['0123456789abcdef0123456789abcdef', /repeats itself/],
    ['9f4c1e7ab03d58e2'.repeat(2), /repeats itself/],
    ['abcdefghijklmnopqrstuvwxyz0123456789', /is a row of characters/],
  ] as const)
    t.match(problemsOf({ ...BEYOND, ...SAFE, SVC_EXECUTOR_KEY: key }), [why], key);
  t.same(
    problemsOf({ SVC_EXECUTOR_KEY: '0123456789abcdef0123456789abcdef' }),
    [],
    'on loopback it is let pass',
  );
  for (const message of problemsOf({
    ...BEYOND,
    SVC_EXECUTOR_KEY: 'change-me-change-me-change-me-0123456789',
  }))
    t.notMatch(message, /change-me/, 'the value itself is not told');
  t.same(problemsOf({ ...fileOf(t, 'grpc: {host: "::1"}'), SVC_HTTP_HOST: 'localhost' }), []);
});

t.test('what is loopback', async (t) => {
  for (const host of ['127.0.0.1', '127.8.9.1', '::1', 'localhost']) t.ok(isLoopback(host), host);
  for (const host of [
    '',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '127.0.0.1.evil.test',
    'localhost.evil.test',
    '1127.0.0.1',
  ])
    t.notOk(isLoopback(host), host);
});

t.test('proxies are trusted by number or by address, never all of them', async (t) => {
  const trusted = (value: string) => configOf({ SVC_TRUST_PROXY: value }).http.trust_proxy;
  t.same([trusted('false'), trusted('true'), trusted('2')], [0, 1, 2]);
  t.same(trusted('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1']);
  for (const value of ['all', '*', '10.0.0.0/8,evil', '-1', '11', ','])
    t.equal(problemsOf({ SVC_TRUST_PROXY: value }).length, 1, value);
});

t.test('every setting of the environment is one of the schema', async (t) => {
  for (const [name, { help }] of Object.entries(SETTINGS)) {
    t.match(name, /^SVC_[A-Z_]+$/);
    t.ok(help.length > 5, name);
    const unknown = problemsOf({ [name]: 'x' }).filter((message) => /nrecognized/.test(message));
    t.same(unknown, [], name);
  }
});

t.test('a server with wrong settings ends with code 78 and says everything on the console', async (t) => {
  const main = join(import.meta.dirname, '..', 'src', 'main.ts');
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const env = { ...programEnvironment(), ...NO_FILE, ...BEYOND, SVC_HTTP_PORT: 'x', SVC_NO_SUCH: '1' };
    execFile(process.execPath, [main, 'serve'], { env, cwd: t.testdir() }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  t.equal(ended.code, 78);
  for (const name of ['SVC_HTTP_PORT', 'SVC_NO_SUCH', 'SVC_EXECUTOR_KEY', 'SVC_ENCRYPTION_KEY'])
    t.match(ended.stderr, new RegExp(name));
});

t.test('the outbound list is read at the start', async (t) => {
  t.match(configOf({ SVC_OUTBOUND_ALLOW: '127.0.0.1:11434, 10.0.0.0/8' }), {
    outbound: { policy: 'block-metadata', allow: ['127.0.0.1:11434', '10.0.0.0/8'] },
  });
  const [problem] = problemsOf({ SVC_OUTBOUND_ALLOW: 'ok.example,http://x' });
  t.match(problem, /^outbound\.allow \(SVC_OUTBOUND_ALLOW\): "http:\/\/x" is not a host/);
});

t.test('plug-ins are name=command entries, or maps with all that they can have', async (t) => {
  const plugins = (text: string) => {
    const env = { SVC_PLUGINS: text };
    const problems = problemsOf(env);
    return problems.length === 0 ? configOf(env).plugins : problems;
  };
  t.strictSame(plugins('faker=/opt/faker/bin/source-faker --quiet, tap=tap-x'), [
    { name: 'faker', command: ['/opt/faker/bin/source-faker', '--quiet'], folder: null, memory_mb: 1_024 },
    { name: 'tap', command: ['tap-x'], folder: null, memory_mb: 1_024 },
  ]);
  t.strictSame(plugins('[{"name":"a","command":["/a b","c,d"],"folder":"/srv","memory_mb":2048}]'), [
    { name: 'a', command: ['/a b', 'c,d'], folder: '/srv', memory_mb: 2_048 },
  ]);
  t.match(plugins('faker'), [
    /^plugins \(SVC_PLUGINS\): must be name=command entries by commas, or a list of maps/,
  ]);
  t.match(plugins('a=x,a=y'), [/names the plug-in "a" twice/]);
  t.match(plugins('Ä=x'), [/entry 1, "name": must be lower-case letters/]);
});

t.test(
  'what queries may use is what the engine has by default, and more of it is given to the process',
  async (t) => {
    t.match(SQL_LIMITS, { memoryMb: configOf({}).sql.memory_mb, diskMb: configOf({}).sql.disk_mb });
    const { sql } = configOf({ SVC_SQL_MEMORY_MB: '1000', SVC_SQL_DISK_MB: '5' });
    t.same(sql, { memory_mb: 1_000, disk_mb: 5 });
    t.same(stepAccessOf({ ...configOf({ SVC_SCRIPTS: 'off' }), sql }), {
      sql: { memoryMb: 1_000, diskMb: 5 },
    });
    const most = (memoryMb?: number) => withQueryMemory(EXECUTOR_PROCESS_LIMITS, memoryMb).runnerProcessMbMax;
    t.equal(most(1_000) - most(), 1_000 - SQL_LIMITS.memoryMb);
    t.equal(most(64), most(), 'and never less');
    t.same(problemsOf({ SVC_SQL_MEMORY_MB: '10' }).length, 1);
  },
);
