import t from 'tap';
import { httpDriver } from '../../../src/drivers/http/driver.ts';
import { answer, rowsOf, startApi } from './http-api.ts';

t.test('tokens, keys and passwords go where the configuration says', async (t) => {
  const api = await startApi(t, () => []);
  const sent = async (config: object) => {
    await rowsOf(await api.connect(config), { path: '/list', query: { a: [1, 2], b: null } });
    const { headers, path } = api.receiver.received.at(-1) ?? { headers: {}, path: '' };
    return { ...headers, path };
  };
  t.match(await sent({ auth: { type: 'bearer' }, token: 'abc' }), { authorization: 'Bearer abc' });
  t.match(await sent({ auth: { type: 'basic', username: 'ö' }, password: 'p:w' }), {
    authorization: `Basic ${Buffer.from('ö:p:w').toString('base64')}`,
  });
  t.match(await sent({ auth: { type: 'api_key', name: 'X-Key', prefix: 'k ' }, api_key: 'abc' }), {
    'x-key': 'k abc',
  });
  t.match(await sent({ auth: { type: 'api_key', in: 'query', name: 'key' }, api_key: 'a b' }), {
    path: '/v1/list?a=1&a=2&key=a+b',
  });
  t.match(await sent({ headers: { 'X-Version': '2' }, query: { v: 3 } }), {
    'x-version': '2',
    path: '/v1/list?v=3&a=1&a=2',
  });
});

t.test(
  'a client gets a token, keeps it, and gets another before it expires or when it is refused',
  async (t) => {
    let valid = 't1';
    let issued = 0;
    const api = await startApi(t, (_query, { path, headers, body }, _index, response) => {
      if (path === '/oauth/token') {
        const form = new URLSearchParams(body);
        const client = Buffer.from(String(headers.authorization).slice(6), 'base64').toString();
        if (client !== 'me:s%26cret' || form.get('grant_type') !== 'client_credentials')
          return answer(response, 400, 'wrong client');
        t.equal(form.get('scope'), 'read write');
        valid = `t${++issued}`;
        return { access_token: valid, expires_in: issued === 1 ? 0.05 : 3_600 };
      }
      return headers.authorization === `Bearer ${valid}` ? [] : answer(response, 401, 'expired');
    });
    const auth = {
      type: 'oauth2_client_credentials',
      token_url: `${api.base}/oauth/token`,
      client_id: 'me',
      scope: 'read write',
    };
    const connection = await api.connect({ auth, client_secret: 's&cret' });
    await Promise.all([rowsOf(connection, { path: '/a' }), rowsOf(connection, { path: '/b' })]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await rowsOf(connection, { path: '/c' });
    await rowsOf(connection, { path: '/d' });
    t.equal(issued, 2, 'one for both at first, one after it had expired');
    valid = 'other';
    await rowsOf(connection, { path: '/e' });
    t.equal(issued, 3, 'one more after a 401');
    const wrong = await api.connect({ auth, client_secret: 'wrong' });
    await t.rejects(rowsOf(wrong, { path: '/a' }), {
      fault: 'AUTH',
      message: /token request was answered with 400: wrong client|answered 400/,
    });
  },
);

t.test('a refused token is renewed once, not for ever', async (t) => {
  let tokens = 0;
  const api = await startApi(t, (_query, { path, body }, _index, response) => {
    if (path !== '/oauth/token') return answer(response, 401);
    const form = new URLSearchParams(body);
    t.match(
      [...form.entries()],
      [
        ['grant_type', 'refresh_token'],
        ['refresh_token', 'r1'],
        ['client_id', 'me'],
      ],
    );
    return { access_token: `t${++tokens}` };
  });
  const auth = {
    type: 'oauth2_refresh_token',
    token_url: `${api.base}/oauth/token`,
    client_id: 'me',
    client_auth: 'body',
  };
  const connection = await api.connect({ auth, refresh_token: 'r1' });
  await t.rejects(rowsOf(connection, { path: '/a' }), { name: 'ConnectorError', fault: 'AUTH' });
  t.equal(tokens, 2);
});

t.test(
  'requests that a token fails at the same time renew it once, and one that leaves takes nothing from the others',
  async (t) => {
    let valid = 'none';
    let issued = 0;
    const api = await startApi(t, (_query, { path, headers }, _index, response) => {
      if (path !== '/oauth/token')
        return headers.authorization === `Bearer ${valid}` ? [] : answer(response, 401);
      valid = `t${++issued}`;
      setTimeout(() => answer(response, 200, JSON.stringify({ access_token: valid })), 30);
      return undefined;
    });
    const auth = { type: 'oauth2_client_credentials', token_url: `${api.base}/oauth/token`, client_id: 'me' };
    const connection = await api.connect({ auth, client_secret: 's' });
    const left = new AbortController();
    const gone = t.rejects(rowsOf(connection, { path: '/a' }, { signal: left.signal }), { message: 'mine' });
    const stays = rowsOf(connection, { path: '/b' });
    setTimeout(() => left.abort(new Error('mine')), 5);
    await Promise.all([gone, stays]);
    t.equal(issued, 1);
    valid = 'other';
    await Promise.all(['/a', '/b', '/c'].map((path) => rowsOf(connection, { path })));
    t.equal(issued, 2);
  },
);

t.test(
  'a token that expires in the middle of a list is renewed once, and no page is lost or twice',
  async (t) => {
    let issued = 0;
    let uses = 0;
    const api = await startApi(t, (query, { path, headers }, _index, response) => {
      if (path === '/oauth/token') {
        uses = 0;
        return { access_token: `t${++issued}`, expires_in: 3_600 };
      }
      // The first token is good for three pages, whatever it was said to be.
      const isGood = headers.authorization === `Bearer t${issued}` && (issued > 1 || ++uses <= 3);
      if (!isGood) return answer(response, 401);
      const page = Number(query.get('page') ?? 1);
      return page > 5 ? [] : [{ id: page }];
    });
    const auth = { type: 'oauth2_client_credentials', token_url: `${api.base}/oauth/token`, client_id: 'me' };
    const connection = await api.connect({ auth, client_secret: 's' });
    const rows = await rowsOf(connection, { path: '/list', paginate: { type: 'page' } });
    t.strictSame(
      rows.map(({ id }) => id),
      [1, 2, 3, 4, 5],
    );
    t.equal(issued, 2);
  },
);

t.test('a session begins with a login', async (t) => {
  const api = await startApi(t, (_query, { path, headers, body }, _index, response) => {
    if (path === '/v1/login') {
      t.strictSame(JSON.parse(body), { user: 'me', password: 'pw' });
      return { data: { token: 'sess' } };
    }
    return headers['x-session'] === 'sess' ? [{ id: 1 }] : answer(response, 401);
  });
  const auth = {
    type: 'session',
    login_path: '/login',
    username: 'me',
    username_field: 'user',
    token_path: 'data.token',
    header: 'X-Session',
    prefix: '',
  };
  const connection = await api.connect({ auth, password: 'pw' });
  t.equal((await rowsOf(connection, { path: '/list' })).length, 1);
  const lost = await api.connect({ auth: { ...auth, token_path: 'token' }, password: 'pw' });
  await t.rejects(rowsOf(lost, { path: '/list' }), { fault: 'AUTH', message: /no token at "token"/ });
});

t.test('secrets that are missing or in the wrong place are told when the connector is saved', async (t) => {
  const told = (config: object) =>
    httpDriver.config
      .safeParse({ base_url: 'https://a.test', ...config })
      .error?.issues.map(({ message }) => message);
  t.match(told({ auth: { type: 'bearer' } }), [/"token" is required/]);
  t.match(told({ token: 'x' }), [/does not use "token"/]);
  t.equal(told({ auth: { type: 'basic', username: 'u' } }), undefined, 'a password may be empty');
  t.match(told({ base_url: 'https://u:p@a.test' }), [/without user name/]);
  t.match(told({ base_url: 'ftp://a.test' }), [/https/]);
});
