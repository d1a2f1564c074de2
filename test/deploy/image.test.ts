import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { createProgram } from '../../src/commands/program.ts';
import { loadConfig } from '../../src/config.ts';
import { SETTINGS } from '../../src/settings.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly scripts: Record<string, string>;
  readonly engines: { readonly node: string };
};
const commands = createProgram().commands.map((command) => command.name());

/** The instructions of the Dockerfile, in order, with what follows each. */
const instructions = read('deploy/Dockerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1)] as const);
const all = (name: string) => instructions.filter(([found]) => found === name).map(([, rest]) => rest);
const one = (name: string) => all(name).at(-1) ?? '';

/** Where `npm run build` puts the package: the layout below it is that of the checkout. */
const PACKAGE = 'dist/package';

t.test('what the image is made of exists, and its start is a command', async (t) => {
  for (const from of all('FROM')) {
    const [, major = ''] = /^node:(\d+)-/.exec(from) ?? [];
    t.equal(major, /\d+/.exec(manifest.engines.node)?.[0], from);
  }
  const [whole = '', ...copies] = all('COPY');
  t.equal(whole, '. .');
  t.same(copies, ['--from=build /package /opt/headgate']);
  t.match(read('.ci/build.ts'), PACKAGE);
  t.match(all('RUN')[0], `mv ${PACKAGE} /package`);
  for (const [, script = ''] of all('RUN')
    .join('\n')
    .matchAll(/npm run (\S+)/g))
    t.ok(script in manifest.scripts, `npm run ${script}`);
  t.match(all('RUN')[0], /npm ci && npm run build/);
  t.match(all('RUN')[1], /^cd \/package && npm ci --omit=dev /);
  t.ok(existsSync(join(root, 'package-lock.json')));
  t.match(read('.ci/build-package.ts'), 'npm-shrinkwrap.json', 'npm ci in the package has a lock');
  const [node, main = ''] = JSON.parse(one('ENTRYPOINT')) as string[];
  t.equal(node, 'node');
  t.ok(existsSync(join(root, main.replace('/opt/headgate/', ''))), main);
  t.ok(commands.includes((JSON.parse(one('CMD')) as string[])[0] ?? ''));
  t.not(one('USER'), '');
  t.equal(one('WORKDIR'), one('VOLUME'), 'what is written into the working directory is kept');
});

t.test('no secret or state of a checkout comes into the image', async (t) => {
  const ignored = read('deploy/Dockerfile.dockerignore').split('\n');
  for (const pattern of [
    '**/.env',
    '**/headgate.key',
    '**/headgate.yaml',
    '**/*.db',
    'node_modules',
    'dist/*',
  ])
    t.ok(ignored.includes(pattern), pattern);
});

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly environment: Readonly<Record<string, string>>;
        readonly ports?: readonly string[];
        readonly volumes: readonly string[];
        readonly depends_on?: Readonly<Record<string, unknown>>;
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

t.test('compose.yaml names settings, ports, volumes and services that exist', async (t) => {
  const { services, volumes } = parse(read('deploy/compose.yaml')) as Compose;
  const server = services['headgate'];
  if (server?.build === undefined) return t.fail('compose.yaml builds no server');
  t.ok(existsSync(join(root, 'deploy', server.build.context, server.build.dockerfile)));
  for (const name of Object.keys(server.environment)) t.ok(name in SETTINGS, name);
  t.same(server.ports, [`${one('EXPOSE')}:${one('EXPOSE')}`]);
  t.match(SETTINGS['SVC_HTTP_PORT']?.help, `(${one('EXPOSE')})`, 'the port that it listens on by default');
  t.same(server.volumes, [`headgate:${one('VOLUME')}`]);
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes) t.ok((volume.split(':')[0] ?? '') in volumes, volume);
    for (const other of Object.keys(service.depends_on ?? {})) t.ok(other in services, `${name} → ${other}`);
  }
});

/** What Compose makes of `text`: `${NAME}`, `${NAME:-default}`, `${NAME:?complaint}`. */
function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, sign?: string, rest = '') => {
    const value = given[name] ?? '';
    if (value === '' && sign === '?') throw new Error(`${name}: ${rest}`);
    return value === '' && sign === '-' ? rest : value;
  });
}

t.test('the environment of compose.yaml is one that the server starts with', async (t) => {
  const { services } = parse(read('deploy/compose.yaml')) as Compose;
  const written = Object.entries(services['headgate']?.environment ?? {});
  // As the file's first lines advise.
  const secret = () => randomBytes(32).toString('hex');
  const given = { POSTGRES_PASSWORD: secret(), SVC_EXECUTOR_KEY: secret(), SVC_ENCRYPTION_KEY: secret() };
  const environment = Object.fromEntries(written.map(([name, text]) => [name, interpolate(text, given)]));
  const loaded = loadConfig(environment);
  if (!loaded.ok) return t.fail(JSON.stringify(loaded));
  const { http, state, executor, security } = loaded.config;
  const { POSTGRES_PASSWORD, SVC_EXECUTOR_KEY, SVC_ENCRYPTION_KEY } = given;
  t.strictSame(
    [http.host, http.public_url, state.serverdb?.url, executor.key, security.encryption_key],
    [
      '0.0.0.0',
      'http://localhost:8080',
      `postgres://headgate:${POSTGRES_PASSWORD}@db:5432/headgate`,
      SVC_EXECUTOR_KEY,
      SVC_ENCRYPTION_KEY,
    ],
  );
  for (const name of Object.keys(given)) {
    const rest = Object.fromEntries(Object.entries(given).filter(([other]) => other !== name));
    t.throws(() => written.map(([, text]) => interpolate(text, rest)), { message: `${name}: set ${name}` });
  }
});

t.test('every setting that a file for deployment names exists', async (t) => {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true });
  const named = files
    .filter((file) => file.isFile())
    .flatMap((file) => readFileSync(join(file.parentPath, file.name), 'utf8').match(/\bSVC_\w+/g) ?? []);
  t.ok(named.length > 0);
  for (const name of new Set(named)) t.ok(name in SETTINGS, name);
});

t.test('the unit for systemd starts what the package has', async (t) => {
  const [, main = '', command = ''] =
    /^ExecStart=\/usr\/bin\/node \/opt\/headgate\/(\S+) (\S+)$/m.exec(read('deploy/headgate.service')) ?? [];
  t.ok(existsSync(join(root, main)), main);
  t.ok(commands.includes(command), command);
});
