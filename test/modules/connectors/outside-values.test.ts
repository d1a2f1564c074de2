import { linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createCipher } from '../../../src/base/cipher.ts';
import { createConnectors } from '../../../src/modules/connectors/connector-service.ts';
import { fillReferences, NOTHING_OUTSIDE } from '../../../src/modules/connectors/outside-values.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { createTestClock } from '../../support/clock.ts';
import { eachStore } from '../../support/stores.ts';

t.test('references are filled with what the server allows, and nothing else', async (t) => {
  const folder = t.testdir({
    secrets: {
      password: 'p4ss$&word\n',
      big: 'x'.repeat(70_000),
      inner: {},
      'own.key': 'master',
      'state.db': '',
      'state.db-wal': 'rows',
    },
    elsewhere: { other: 'other' },
  });
  const secrets = join(folder, 'secrets');
  symlinkSync(join(folder, 'elsewhere', 'other'), join(secrets, 'leads-out'));
  symlinkSync(join(secrets, 'password'), join(secrets, 'renewed'));
  linkSync(join(secrets, 'own.key'), join(secrets, 'hard-link'));
  const sources = {
    variables: ['SHOP_HOST', 'UNSET', 'EMPTY'],
    folders: [secrets],
    forbiddenFiles: [join(secrets, 'own.key'), join(secrets, 'state.db')],
    variable: (name: string) => ({ SHOP_HOST: 'db.internal', EMPTY: '', SVC_ENCRYPTION_KEY: 'master' })[name],
  };
  const fill = (text: string) => fillReferences({ text }, sources);
  const faultOf = (text: string) =>
    fill(text)
      .problems.map(({ message }) => message)
      .join();

  const whole = fillReferences(
    {
      url: `postgres://app:\${file:${secrets}/password}@\${env:SHOP_HOST}/shop`,
      list: ['a', { deep: `\${env:SHOP_HOST}` }],
      port: 5432,
      none: null,
      empty: `\${env:EMPTY}`,
    },
    sources,
  );
  t.same(whole.config, {
    url: 'postgres://app:p4ss$&word@db.internal/shop',
    list: ['a', { deep: 'db.internal' }],
    port: 5432,
    none: null,
    empty: '',
  });
  t.same([...whole.texts].sort(), ['db.internal', 'p4ss$&word'], 'an empty text hides nothing');
  t.same(whole.problems, []);
  t.equal(fill(`\${file:${secrets}/renewed}`).config['text'], 'p4ss$&word', 'a link within the folder');
  writeFileSync(join(secrets, 'password'), 'renewed');
  t.equal(fill(`\${file:${secrets}/password}`).config['text'], 'renewed', 'it is read each time');

  t.match(faultOf(`\${env:SVC_ENCRYPTION_KEY}`), /a setting of the server, which no connector may use/);
  t.match(faultOf(`\${env:HOME}`), /"config.text" refers to .*does not allow.*SVC_CONNECTOR_ENV/);
  t.match(faultOf(`\${env:UNSET}`), /no such variable/);
  t.match(faultOf(`\${file:secrets/password}`), /absolute/);
  t.match(faultOf(`\${file:${folder}/elsewhere/other}`), /does not allow.*SVC_CONNECTOR_FILES/);
  t.match(faultOf(`\${file:${secrets}/../elsewhere/other}`), /does not allow/);
  t.match(faultOf(`\${file:${secrets}/leads-out}`), /does not allow/, 'a link out of the folder');
  t.match(faultOf(`\${file:${secrets}/own.key}`), /does not allow/, 'the server’s own file');
  t.match(faultOf(`\${file:${secrets}/hard-link}`), /does not allow/, 'its other name');
  t.match(faultOf(`\${file:${secrets}/state.db-wal}`), /does not allow/, 'what lies beside its store');
  t.match(faultOf(`\${file:${secrets}/missing}`), /cannot read it: it does not exist$/);
  t.match(faultOf(`\${file:${secrets}/inner}`), /not a file/);
  t.match(faultOf(`\${file:${secrets}/big}`), /more than 65536 bytes/);
  t.equal(fill(`\${env:HOME}`).config['text'], `\${env:HOME}`, 'it stands as it was');
  t.equal(fillReferences({ text: `\${env:HOME}` }, NOTHING_OUTSIDE).problems.length, 1);
});

t.test(
  'another word than env or file is refused as a misspelt reference; a doubled dollar sign is literal',
  async (t) => {
    const sources = { ...NOTHING_OUTSIDE, variables: ['X'], variable: () => 'value' };
    const fill = (text: string) => fillReferences({ list: [{ text }] }, sources);
    const textOf = (text: string) => {
      const { config, problems } = fill(text);
      t.same(problems, [], text);
      return (config['list'] as [{ text: string }])[0].text;
    };
    for (const [text, words] of [
      [
        `\${evn:X}`,
        '"evn", which is neither "env" nor "file" (as a text of its own it is written $${evn:…}); did you mean "env"?',
      ],
      [
        `\${ENV:X}`,
        '"ENV", which is neither "env" nor "file" (as a text of its own it is written $${ENV:…}); did you mean "env"?',
      ],
      [
        `\${flie:/run/x}`,
        '"flie", which is neither "env" nor "file" (as a text of its own it is written $${flie:…}); did you mean "file"?',
      ],
      [
        `\${vault:s3cret}`,
        '"vault", which is neither "env" nor "file" (as a text of its own it is written $${vault:…})',
      ],
    ] as const) {
      const path = 'config.list[0].text';
      t.strictSame(fill(text).problems, [{ path, message: `"${path}" refers to ${words}` }]);
    }
    t.equal(textOf(`$\${evn:X}`), `\${evn:X}`);
    t.equal(textOf(`$\${env:X}`), `\${env:X}`);
    t.same(fill(`$\${env:X}`).texts, [], 'nothing came from outside');
    t.equal(textOf(`$$\${env:X}`), '$value');
    t.equal(textOf(`a$\${env:X}b\${env:X}`), `a\${env:X}bvalue`);
    for (const literal of [`a\${evn:X}`, `\${CONNECTOR}`, `\${HOME}/x`, 'pa$$word', '$$', `\${ }`, `{env:X}`])
      t.equal(textOf(literal), literal);
  },
);

await eachStore(t, 'a run that fails for a reference shows which one', async (t, store) => {
  const parts = {
    store,
    clock: createTestClock(),
    cipher: createCipher(['x'.repeat(32)]),
    drivers: allDrivers,
  };
  const sources = { ...NOTHING_OUTSIDE, variables: ['SHOP_PASSWORD'], variable: () => 'pl4nted-s3cret' };
  const allowing = createConnectors({ ...parts, sources });
  const password = `\${env:SHOP_PASSWORD}`;
  const config = { host: 'db.example.com', database: 'w', user: 'etl', password };
  const input = { name: 'shop', type: 'postgres', description: null, config };
  const { id } = await allowing.create(input, {
    type: 'cli',
    id: null,
    name: 'test',
    address: null,
    requestId: null,
  });
  t.strictSame(await allowing.connectorSecrets({ db: id }), ['pl4nted-s3cret']);
  const refusing = createConnectors(parts);
  await t.rejects(refusing.connectorSpecs({ db: id }), { message: /\$\{env:SHOP_PASSWORD\}, which this/ });
  t.strictSame(await refusing.connectorSecrets({ db: id }), [], 'a reference is no secret');
});
