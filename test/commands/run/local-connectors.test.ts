// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations name variables in this form
import { join } from 'node:path';
import t from 'tap';
import { readConnectors } from '../../../src/commands/run/local-connectors.ts';

const FILE = `
warehouse: { type: postgres, config: { url: "postgres://ada:s3cret-word@db/x" } }
other: { type: postgres, config: { url: "\${env:HEADGATE_TEST_NOT_SET}" } }
`;

t.test('only the connectors of the task are read, and their secrets are known to the redactor', async (t) => {
  const file = join(t.testdir({ 'connectors.yaml': FILE }), 'connectors.yaml');
  const { byName, secrets } = await readConnectors({ file, given: [] }, ['warehouse']);
  t.same(Object.keys(byName), ['warehouse']);
  t.ok(secrets.some((secret) => secret.includes('s3cret-word')));
  await t.rejects(readConnectors({ file, given: [] }, ['other']), {
    exitCode: 78,
    message: /uses the variable "HEADGATE_TEST_NOT_SET", which is not set/,
  });
});

t.test(
  'a file of another form is refused, also where the task needs none of what is wrong in it',
  async (t) => {
    const text = 'connectors: { warehouse: { type: sqlite, config: { path: out.db } } }';
    const file = join(t.testdir({ 'connectors.yaml': text }), 'connectors.yaml');
    await t.rejects(readConnectors({ file, given: [] }, ['warehouse']), {
      exitCode: 78,
      message: 'The connector "connectors" must be a map of "type" and "config"',
    });
  },
);

t.test('what the command line gives wins over the file, and must be of the task', async (t) => {
  const file = join(t.testdir({ 'connectors.yaml': FILE }), 'connectors.yaml');
  const given = ['warehouse=sqlite:out.db'];
  const { byName } = await readConnectors({ file, given }, ['warehouse']);
  t.match(byName['warehouse'], { type: 'sqlite', config: { path: 'out.db' } });
  await t.rejects(readConnectors({ file: null, given }, ['source']), {
    message: 'The task declares no connector "warehouse" (available: source)',
  });
  await t.rejects(readConnectors({ file: null, given: ['warehouse'] }, ['warehouse']), {
    message: /must be written as name=@file or name=type:text/,
  });
});

t.test('a connector of the command line leaves variables of the one in its place aside', async (t) => {
  const file = join(t.testdir({ 'connectors.yaml': FILE }), 'connectors.yaml');
  const given = ['other=mongodb+srv://ada:s3cret-word@cluster.example.com/shop'];
  const { byName } = await readConnectors({ file, given }, ['other']);
  t.match(byName['other'], { type: 'mongodb', config: { url: given[0]?.slice('other='.length) } });
});

t.test('a text of a configuration may hold the content of a file', async (t) => {
  const folder = t.testdir({ password: 's3cret-word\n' });
  const warehouse = (url: string) =>
    readConnectors({ file: null, given: [`warehouse=postgres://${url}`] }, ['warehouse']);
  const { byName, secrets } = await warehouse(`ada:\${file:${folder}/password}@db/x`);
  t.equal(byName['warehouse']?.config['url'], 'postgres://ada:s3cret-word@db/x');
  t.ok(secrets.some((secret) => secret.includes('s3cret-word')));
  await t.rejects(warehouse(`ada:\${file:${folder}/none}@db/x`), {
    exitCode: 78,
    message: `The file "${folder}/none" of the connector "warehouse" does not exist`,
  });
  await t.rejects(warehouse('ada:${file:password}@db/x'), {
    message: /refers to \$\{file:password\}, but the path of a file must be absolute/,
  });
});

t.test('a misspelt reference is refused, and a doubled dollar sign is literal, as on a server', async (t) => {
  const read = (text: string) =>
    readConnectors({ file: null, given: [`s=sqlite:{path: "${text}"}`], variables: { X: 'x.db' } }, ['s']);
  t.equal((await read(`\${env:X}`)).byName['s']?.config['path'], 'x.db');
  t.equal((await read(`$\${env:X}`)).byName['s']?.config['path'], `\${env:X}`);
  await t.rejects(read(`\${evn:X}`), {
    exitCode: 78,
    message: /^The connector "s" refers to "evn", which is neither "env" nor "file" .*; did you mean "env"\?/,
  });
  await t.rejects(read(`\${env:no name}`), { message: /variable "no name", which is not set/ });
});
