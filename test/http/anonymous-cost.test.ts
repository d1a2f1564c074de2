import { gzipSync } from 'node:zlib';
import t from 'tap';
import { startFullApp } from '../support/full-app.ts';

const RUNS = 9;
/** Of a bare request; the bodies below took 300 to 3,000 times as much before strangers' bodies had limits. */
const RATIO_MAX = 20;

const object = (keys: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1])));
const lists = (count: number) => `{"email":[${Array.from({ length: count }, () => '[]').join(',')}]}`;

t.test('a request without credentials costs about as much as a bare one, whatever it holds', async (t) => {
  const { http } = await startFullApp(t);
  const cost = async (url: string, payload: Buffer, headers: Record<string, string> = {}) => {
    const samples: number[] = [];
    let status = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const before = process.cpuUsage();
      const answer = await http.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/json', ...headers },
      });
      const { user, system } = process.cpuUsage(before);
      samples.push(user + system);
      status = answer.statusCode;
      t.ok(answer.payload.length < 4_096, `${url} answers ${answer.payload.length} characters`);
    }
    return { micros: Math.min(...samples), status };
  };
  const login = '/api/auth/login';
  const nothing = '/api/nothing/here';
  const share = '/api/public/dashboards/unknown/widgets/data';
  const rows = '/api/public/dashboards/unknown/widgets/w/rows';
  const submit = '/api/public/dashboards/unknown/widgets/w/submit';
  await cost(login, Buffer.from('{}'));
  const bare = await cost(login, Buffer.from('{}'));
  t.equal(bare.status, 400);
  const many = Buffer.from(object(300_000));
  const nested = Buffer.from(lists(1_300_000));
  const bomb = gzipSync(nested);
  const largest = Buffer.from(object(1_400));
  const gzip = { 'content-encoding': 'gzip' };
  for (const [name, url, payload, headers, status] of [
    ['300,000 keys', login, many, {}, 413],
    ['1.3 million lists', login, nested, {}, 413],
    ['a gzip bomb', login, bomb, gzip, 413],
    ['as many keys as are read', login, largest, {}, 400],
    ['300,000 keys for a path that is not there', nothing, many, {}, 404],
    ['a gzip bomb for a path that is not there', nothing, bomb, gzip, 404],
    ['300,000 keys for an unknown link', share, many, {}, 413],
    ['as many keys as are read, for an unknown link', share, largest, {}, 400],
    ['300,000 keys for rows of an unknown link', rows, many, {}, 404],
    ['1.3 million lists for a form of an unknown link', submit, nested, {}, 404],
    ['a gzip bomb for a form of an unknown link', submit, bomb, gzip, 404],
  ] as const) {
    const found = await cost(url, payload, headers);
    const ratio = found.micros / bare.micros;
    t.equal(found.status, status, name);
    t.ok(ratio <= RATIO_MAX, `${name}: ${ratio.toFixed(1)} times a bare request (${found.micros} µs)`);
    t.comment(`${name}: ${ratio.toFixed(1)} times a bare request of ${bare.micros} µs`);
  }
});

t.test('of unknown keys twenty are named, and how many more there are', async (t) => {
  const { http } = await startFullApp(t);
  const answer = await http.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: object(500),
    headers: { 'content-type': 'application/json' },
  });
  const { details } = answer.json<{ details: { path: string; message: string }[] }>();
  const unknown = details.find(({ message }) => message.startsWith('Unknown key'));
  t.match(unknown?.message, /^Unknown key "k0", .*"k19" and 480 more$/);
});
