import t from 'tap';
import { curlText } from '../../../src/ui/kit/script-call.ts';
import { fieldsOf, withPluginFields } from '../../../src/ui/screens/connectors/form/config-schema.ts';
import { configScript } from '../../../src/ui/screens/connectors/form/config-script.ts';
import { configOf, typedConfig } from '../../../src/ui/screens/connectors/form/config-values.ts';
import { isSeldom, isShown } from '../../../src/ui/screens/connectors/form/shown-fields.ts';
import { secretMask, secretPlaces } from '../../../src/ui/screens/connectors/form/stored-secrets.ts';
import { allDrivers } from '../../support/all-drivers.ts';

const schemaOf = (name: string) => allDrivers.catalogue().find(({ type }) => type === name)?.config ?? {};

t.test('every type has fields that a form can show', async (t) => {
  for (const { type, config } of allDrivers.catalogue()) {
    const fields = fieldsOf(config);
    t.ok(fields.length > 0, type);
    // Nobody configures the one for tests by a form.
    const all = type === 'dummy' ? fields : fields.flatMap((field) => [field, ...field.fields]);
    for (const { key, help } of all) t.not(help, '', `${type}: ${key} has a description`);
  }
});

t.test('a line for scripts never holds a secret that was typed, of any type', async (t) => {
  let hidden = 0;
  for (const { type, config } of allDrivers.catalogue()) {
    const fields = fieldsOf(config);
    const typed = Object.fromEntries(secretPlaces(fields).map((place) => [place, '"hunter2"']));
    const made = configOf(fields, typed, undefined).config;
    const script = configScript(fields, made);
    const { variables } = script;
    hidden += variables.length;
    const call = {
      method: 'POST',
      path: '/api/connectors',
      body: { type, config: script.config },
      variables,
    } as const;
    t.notMatch(curlText('https://headgate.example.com', call), 'hunter2', type);
    t.equal(variables.length > 0, JSON.stringify(made).includes('hunter2'), type);
    for (const { name } of variables) t.match(name, /^CONNECTOR_[A-Z0-9_]+$/);
  }
  t.ok(hidden > 5);
});

t.test('a line for scripts keeps the stored secrets, and names only those typed anew', async (t) => {
  const stored = { base_url: 'https://api.example.com', auth: { type: 'bearer' }, token: secretMask };
  const fields = fieldsOf(schemaOf('http'));
  const typed = typedConfig(fields, stored);
  t.same(configScript(fields, configOf(fields, typed, stored).config), { config: stored, variables: [] });
  const renewed = configOf(fields, { ...typed, token: 'hunter2' }, stored).config;
  t.same(configScript(fields, renewed), {
    config: { ...stored, token: '$CONNECTOR_TOKEN' },
    variables: [{ name: 'CONNECTOR_TOKEN', isJson: false }],
  });
});

t.test('what people look for stands with the others of its kind, whatever its default', async (t) => {
  for (const type of ['postgres', 'mysql', 'mongodb']) {
    const seldom = fieldsOf(schemaOf(type)).filter(isSeldom);
    const keys = seldom.map(({ key }) => key);
    t.same(
      ['host', 'port', 'database', 'user', 'password'].filter((key) => keys.includes(key)),
      [],
      type,
    );
    t.ok(keys.includes('ca') && keys.includes('pool_size'), type);
  }
});

t.test('a stored configuration goes through the form unchanged', async (t) => {
  const stored = {
    base_url: 'https://api.example.com',
    auth: { type: 'api_key', name: 'X-Key', in: 'query' },
    api_key: secretMask,
    headers: { 'X-Team': 'a' },
    allow_hosts: ['a.example.com', 'b.example.com'],
    timeout_ms: 5_000,
  };
  const fields = fieldsOf(schemaOf('http'));
  t.same(configOf(fields, typedConfig(fields, stored), stored), { config: stored, problems: [] });
});

t.test('a secret is kept where nothing is typed, replaced, and removed', async (t) => {
  const fields = fieldsOf(schemaOf('postgres'));
  const stored = { host: 'a', password: secretMask };
  const typed = typedConfig(fields, stored);
  t.notOk('password' in typed, 'no mask is shown as a value');
  t.same(configOf(fields, { ...typed, password: '' }, stored).config, stored);
  t.same(configOf(fields, { ...typed, password: 'new' }, stored).config, { host: 'a', password: 'new' });
  t.same(configOf(fields, { ...typed, password: null }, stored).config, { host: 'a' });
  t.same(configOf(fields, typed).config, { host: 'a' }, 'a new connector has none to keep');
});

t.test('each secret of an object is kept, replaced and removed by itself', async (t) => {
  const text = { type: 'string' };
  const secret = { ...text, writeOnly: true };
  const branch = (name: string, own: object) => ({ properties: { option: { const: name }, ...own } });
  const spec = {
    type: 'object',
    properties: {
      shop: text,
      key: secret,
      credentials: {
        type: 'object',
        'x-discriminator': 'option',
        oneOf: [branch('basic', { user: text, password: secret }), branch('token', { token: secret })],
      },
    },
  };
  const fields = withPluginFields(fieldsOf(schemaOf('airbyte')), spec);
  const config = { shop: 'a', credentials: { option: 'basic', user: 'ada' } };
  const masks = { key: secretMask, credentials: { password: secretMask }, unspecified: { x: secretMask } };
  const stored = { plugin: 'shop', config, secrets: masks };
  const typed = typedConfig(fields, stored);
  const secretsOf = (changes: object, from: object = stored) =>
    configOf(fields, { ...typed, ...changes }, from as typeof stored).config['secrets'];
  t.same(configOf(fields, typed, stored), { config: stored, problems: [] }, 'untouched');
  t.same(secretsOf({ 'config/key': 'new' }), { ...masks, key: 'new' });
  t.same(secretsOf({ 'config/key': null }), {
    credentials: masks.credentials,
    unspecified: masks.unspecified,
  });
  const password = { ...masks, credentials: { password: 'new' } };
  t.same(secretsOf({ 'config/credentials/password': 'new' }), password);
  const other = { 'config/credentials': 'token', 'config/credentials/token': 't' };
  t.same(secretsOf(other), { ...masks, credentials: { token: 't' } }, 'those of another choice go');
  const whole = { ...stored, secrets: secretMask };
  t.same(secretsOf({}, whole), secretMask, 'stored before masks had names');
  t.same(secretsOf({ 'config/key': 'new' }, whole), { key: 'new' });
  t.same(secretsOf({ secrets: null }, whole), undefined);
});

t.test('an object of secrets that is typed as JSON is kept with all its masks', async (t) => {
  const fields = fieldsOf(schemaOf('singer'));
  const stored = { plugin: 'tap', secrets: { a: secretMask, b: { c: secretMask } } };
  t.same(configOf(fields, typedConfig(fields, stored), stored).config, stored);
  t.same(configOf(fields, { plugin: 'tap', secrets: '{"a":"x"}' }, stored).config['secrets'], { a: 'x' });
});

t.test('what is typed becomes values of the type’s kinds', async (t) => {
  const fields = fieldsOf(schemaOf('csv'));
  const typed = { path: 'a.csv', header: 'false', null_values: '\nNULL', decimal: ',', delimiter: '' };
  t.same(configOf(fields, typed).config, {
    path: 'a.csv',
    header: false,
    null_values: ['', 'NULL'],
    decimal: ',',
  });
  const http = fieldsOf(schemaOf('http'));
  t.same(configOf(http, { headers: '{' }).problems, ['headers']);
  t.same(
    configOf(http, { timeout_ms: 'ten' }).config,
    { timeout_ms: 'ten' },
    'the server says what is wrong',
  );
});

t.test('keys of an object are fields of their own, and leave none behind', async (t) => {
  const fields = fieldsOf(schemaOf('csv'));
  const stored = { path: 's3://b/', s3: { endpoint: 'https://s3.example.com', path_style: true } };
  const typed = typedConfig(fields, stored);
  t.match(typed, { 's3/endpoint': 'https://s3.example.com', 's3/path_style': 'true' });
  t.same(configOf(fields, typed, stored), { config: stored, problems: [] });
  const cleared = { ...typed, 's3/endpoint': '', 's3/path_style': '' };
  t.same(configOf(fields, cleared, stored).config, { path: 's3://b/' });
  t.same(configOf(fields, { path: 's3://b/' }, { s3: {} }).config, { path: 's3://b/', s3: {} });
});

t.test('a form shows what is for another path only while it has a value', async (t) => {
  const fields = fieldsOf(schemaOf('csv'));
  const shown = (typed: Record<string, string | null>, stored: readonly string[] = []) =>
    fields
      .filter((field) => field.only !== null && isShown(field, fields, typed, stored))
      .map(({ key }) => key);
  t.same(shown({}), []);
  t.same(shown({ path: 's3://b/' }), ['s3', 'secret_access_key', 'session_token']);
  t.same(shown({ path: 'http://127.0.0.1/' }), ['https', 'header_value']);
  t.same(shown({ path: 'a.csv', password: 'x', 's3/region': 'eu' }), ['s3', 'password']);
  t.same(shown({ path: 'a.csv' }, ['private_key']), ['private_key']);
  t.same(shown({ path: 'a.csv', private_key: null }, ['private_key']), [], 'one that is to go');
});

t.test(
  'a form shows the secrets of the chosen authentication, and others only while they have a value',
  async (t) => {
    for (const type of ['http', 'business_app']) {
      const fields = fieldsOf(schemaOf(type));
      const shown = (typed: Record<string, string | null>, stored: readonly string[] = []) =>
        fields
          .filter(({ kind }) => kind === 'secret')
          .filter((field) => isShown(field, fields, typed, stored))
          .map(({ key }) => key);
      t.same(shown({}), [], type);
      t.same(shown({ auth: 'basic' }), ['password']);
      t.same(shown({ auth: 'oauth2_refresh_token' }), ['client_secret', 'refresh_token']);
      t.same(shown({ auth: 'none', token: 'x' }, ['api_key']), ['token', 'api_key']);
    }
  },
);

t.test('one text or several are lines, and stay what they are stored as', async (t) => {
  const fields = fieldsOf(schemaOf('csv'));
  const at = { path: 'sftp://h/', 'sftp/user': 'a' };
  const keyOf = (typed: string, stored?: object) =>
    configOf(fields, { ...at, 'sftp/host_key': typed }, stored && { sftp: stored }).config['sftp'];
  t.match(keyOf('SHA256:a'), { host_key: 'SHA256:a' });
  t.match(keyOf('SHA256:a\n\nSHA256:b\n'), { host_key: ['SHA256:a', 'SHA256:b'] });
  for (const host_key of ['SHA256:a', ['SHA256:a'], ['SHA256:a', 'SHA256:b']]) {
    const stored = { path: 'sftp://h/', sftp: { user: 'a', host_key } };
    t.same(configOf(fields, typedConfig(fields, stored), stored).config, stored);
  }
});

t.test('a sheet is a name or a position, numbers are typed as people write them', async (t) => {
  const fields = fieldsOf(schemaOf('excel'));
  const sheetOf = (typed: string) => configOf(fields, { path: 'a.xlsx', sheet: typed }).config['sheet'];
  t.same(['2', 'Orders', '"2026"', '"'].map(sheetOf), [2, 'Orders', '2026', '"']);
  for (const sheet of [2, 'Orders', '2026', '"2026"']) {
    const stored = { path: 'a.xlsx', sheet };
    t.same(configOf(fields, typedConfig(fields, stored), stored).config, stored, String(sheet));
  }
  const http = fieldsOf(schemaOf('http'));
  t.same(configOf(http, { 'retry/statuses': '429, 503' }).config, { retry: { statuses: [429, 503] } });
});

t.test('keys and certificates are typed with their line breaks', async (t) => {
  const long = (type: string) =>
    fieldsOf(schemaOf(type))
      .filter(({ isLong }) => isLong)
      .map(({ key }) => key);
  for (const type of ['postgres', 'mysql', 'mongodb']) t.same(long(type), ['ca'], type);
  for (const type of ['csv', 'json', 'parquet', 'excel', 'xml']) t.same(long(type), ['private_key'], type);
});
