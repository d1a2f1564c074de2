import t from 'tap';
import { configProblems } from '../../../src/drivers/plugins/airbyte/config-problems.ts';
import { configSchemaOf } from '../../../src/drivers/plugins/airbyte/config-schema.ts';
import { specification } from './specification.ts';

t.test('a specification becomes a schema with its order, its secrets and its alternatives', async (t) => {
  const { properties } = configSchemaOf(await specification());
  const names = ['shop', 'credentials', 'region', 'pages', 'webhooks', 'internal'];
  t.same(Object.keys(properties as object), names);
  t.match(properties, {
    region: { enum: ['eu', 'us'], default: 'eu', $ref: undefined },
    credentials: {
      'x-discriminator': 'option',
      oneOf: [
        { properties: { token: { writeOnly: true } } },
        { properties: { user: { writeOnly: undefined }, password: { writeOnly: true } } },
      ],
    },
    // A list with secrets in it.
    webhooks: { writeOnly: true },
  });
});

t.test('one that refers to itself, is too large or is none', async (t) => {
  const loop = {
    properties: { a: { $ref: '#/definitions/a' } },
    definitions: { a: { items: { $ref: '#/definitions/a' } } },
  };
  t.throws(() => configSchemaOf(loop), { message: /too large or recursive/ });
  let deep: object = {};
  for (let at = 0; at < 100; at++) deep = { properties: { deep } };
  t.throws(() => configSchemaOf(deep), { message: /too large/ });
  t.same(configSchemaOf({ properties: { a: { $ref: '#/nowhere' }, b: 7 } }), { properties: { a: {} } });
  for (const none of [null, 7, 'x', []]) t.same(configSchemaOf(none), { type: 'object' });
});

t.test('what a specification refuses is said with its place, and without values', async (t) => {
  const schema = configSchemaOf(await specification());
  const said = (config: object, secrets: object = {}) =>
    configProblems(schema, config as Record<string, unknown>, secrets as Record<string, unknown>).map(
      ({ path, message }) => `${path}: ${message}`,
    );
  const credentials = { option: 'token' };
  const token = { credentials: { token: 'pl4nted-s3cret' } };
  t.same(said({ shop: 'nordwind', credentials }, token), []);
  t.same(said({ shop: 'nordwind', credentials: { option: 'basic', user: null } }), []);
  t.same(said({ shop: 'nordwind', credentials }), [
    'config.secrets.credentials.token: "config.secrets.credentials.token" is missing',
  ]);
  t.same(said({ shop: 'Nord Wind', pages: 0, region: 'mars', other: 1, credentials }, token), [
    'config.config.other: "config.config.other" is not known to the source',
    'config.config.shop: "config.config.shop" must match pattern "^[a-z]+$"',
    'config.config.region: "config.config.region" must be equal to one of the allowed values: "eu", "us"',
    'config.config.pages: "config.config.pages" must be >= 1',
  ]);
  t.match(said({ shop: 'a', credentials: { option: 'none' } }), [/"token", "basic"/]);
  const short = said({ shop: 'a', credentials }, { credentials: { token: 's3cret' } });
  t.match(short, [/^config\.secrets\.credentials\.token: .*fewer than 8 characters/]);
  t.notMatch(short.join(), 's3cret"');
  t.match(said({ shop: 'a', credentials: { option: 'token', token: 'pl4nted-s3cret' } }), [
    /^config\.config\.credentials\.token: Secret for this source: move "credentials.token"/,
  ]);
  t.match(said({ shop: 'a', credentials, webhooks: [{ key: 'k' }] }, token), [/move "webhooks"/]);
});

t.test('what is no schema refuses nothing', async (t) => {
  for (const schema of [{ type: 'wrong' }, { properties: { a: { pattern: '(' } } }])
    t.same(configProblems(configSchemaOf(schema), { a: 'x' }, {}), []);
});
