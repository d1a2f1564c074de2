import t from 'tap';
import { linkOf } from '../../../src/drivers/http/paging/link-header.ts';
import { answer, rowsOf, signal, startApi } from './http-api.ts';

const TYPES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  json: ['application/json; charset=utf-8', '\uFEFF[{"id":9007199254740993,"n":{"a":1}}]'],
  ndjson: ['application/x-ndjson', '{"id":1}\n\n{"id":2}\n'],
  csv: ['text/csv', '\uFEFFid;name\r\n1;"a\nb"\r\n2;é\r\n'],
  xml: [
    'application/xml',
    '<?xml version="1.0"?><feed><entry id="1"><name>A &amp; B</name></entry><entry id="2"><name/></entry></feed>',
  ],
  one: ['text/xml', '<feed><entry><id>7</id></entry></feed>'],
  none: ['text/xml', '<feed/>'],
  html: ['text/html', '<!doctype html><title>Sign in</title>'],
  cut: ['application/json', '[{"id":1'],
  bad: ['application/xml', '<a><b></a>'],
  bomb: ['application/xml', '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a><v>&c;</v></a>'],
};

t.test('answers are read by their type', async (t) => {
  const api = await startApi(t, (_query, { path }, _index, response) => {
    const [type = '', body = ''] = TYPES[path.split('/').at(-1) ?? ''] ?? [];
    return answer(response, 200, body, { 'content-type': type });
  });
  const connection = await api.connect();
  const read = (path: string, more: object = {}) => rowsOf(connection, { path: `/${path}`, ...more });
  t.strictSame(await read('json'), [{ id: '9007199254740993', n: { a: 1 } }]);
  t.strictSame(await read('ndjson'), [{ id: 1 }, { id: 2 }]);
  t.match(await read('csv'), [
    { id: 1, name: 'a\nb' },
    { id: 2, name: 'é' },
  ]);
  const records = 'feed.entry';
  t.strictSame(await read('xml', { records }), [
    { name: 'A & B', '@id': '1' },
    { name: '', '@id': '2' },
  ]);
  t.strictSame(await read('one', { records }), [{ id: '7' }]);
  t.strictSame(await read('none', { records }), []);
  await t.rejects(read('html'), { fault: 'DATA', message: /no JSON but text\/html: Sign in/ });
  await t.rejects(read('cut'), { fault: 'DATA', message: /no JSON/ });
  await t.rejects(read('bad'), { fault: 'DATA', message: /no XML \(line 1/ });
  t.notMatch(
    JSON.stringify(await read('bomb', { records: 'a' })),
    'bbbbbbbb',
    'entities of a document are not expanded',
  );
  t.strictSame(await connection.call('get', { path: '/json', records: '0.n.a' }, signal), 1);
  t.equal(
    await connection.call('get', { path: '/csv' }, signal),
    TYPES['csv']?.[1].slice(1),
    'without its mark',
  );
});

t.test('the place of the records is found, or told', async (t) => {
  const api = await startApi(t, () => ({ total: 1, data: [{ id: 1 }], more: { items: null } }));
  const connection = await api.connect();
  const read = (records?: string) =>
    rowsOf(connection, { path: '/x', ...(records === undefined ? {} : { records }) });
  t.strictSame(await read('data'), [{ id: 1 }]);
  t.strictSame(await read('more.items'), []);
  await t.rejects(read(), { fault: 'CONFIG', message: /no list; it holds one at "data"/ });
  await t.rejects(read('rows'), { fault: 'CONFIG', message: /nothing at "rows"; it has total, data, more/ });
});

t.test('a filter holds whatever the API sends, and what the API can filter it is asked to', async (t) => {
  const api = await startApi(t, () => [
    { id: 1, at: '2026-01-01T00:00:00Z', city: 'Bonn' },
    { id: 2, at: '2026-01-02T00:00:00Z' },
    { id: 3, at: '2026-01-03T00:00:00Z', city: 'Bonn' },
  ]);
  const connection = await api.connect();
  const ids = async (filter: object, more: object = {}) =>
    (await rowsOf(connection, { path: '/x', filter, ...more })).map(({ id }) => id);
  t.strictSame(await ids({ city: 'Bonn' }), [1, 3]);
  t.strictSame(await ids({ nosuch: { is_null: true } }), [1, 2, 3]);
  t.strictSame(await ids({ city: 'Bonn' }, { columns: ['id'] }), [1, 3]);
  const incremental = { field: 'at', param: 'since', end_param: 'until', format: 'unix' };
  const at = { or_null: { gt: '2026-01-01T00:00:00Z', lt: '2026-01-03T00:00:00Z' } };
  t.strictSame(await ids({ at }, { incremental }), [2]);
  t.equal(api.queries().at(-1), 'since=1767225600&until=1767398400');
  t.strictSame(await rowsOf(connection, { path: '/x', filter: { city: 'Bonn' } }, { limit: 1 }), [
    { id: 1, at: '2026-01-01T00:00:00Z', city: 'Bonn' },
  ]);
});

t.test('links are found as RFC 8288 writes them', async (t) => {
  t.equal(linkOf('<https://a.test/?p=2>; rel="next"', 'next'), 'https://a.test/?p=2');
  t.equal(linkOf('<a,b;c>; rel=next', 'next'), 'a,b;c');
  t.equal(linkOf('<1>; rel=prev, <2>; title="x; rel=next"; rel="up NEXT"', 'next'), '2');
  t.equal(linkOf('<1>; rel="nextish"', 'next'), null);
  t.equal(linkOf('', 'next'), null);
});

t.test('an answer is in the encoding that its type names; an empty one is told as such', async (t) => {
  const bodies: Readonly<Record<string, readonly [type: string, body: Buffer]>> = {
    csv: ['text/csv; charset=ISO-8859-1', Buffer.from('id,name\n1,\u00e4\n', 'latin1')],
    json: [
      'application/json; charset="utf-16le"',
      Buffer.from('\uFEFF[{"id":1,"name":"\u00e4"}]', 'utf16le'),
    ],
    ndjson: ['application/x-ndjson', Buffer.from('\uFEFF{"id":1,"name":"\u00e4"}\n')],
    unknown: ['application/json; charset=ebcdic-x', Buffer.from('[]')],
    nothing: ['application/json', Buffer.alloc(0)],
  };
  const api = await startApi(t, (_query, { path }, _index, response) => {
    const [type = '', body = Buffer.alloc(0)] = bodies[path.split('/').at(-1) ?? ''] ?? [];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const connection = await api.connect();
  for (const path of ['/csv', '/json', '/ndjson'])
    t.strictSame(await rowsOf(connection, { path }), [{ id: 1, name: '\u00e4' }], path);
  await t.rejects(rowsOf(connection, { path: '/unknown' }), {
    fault: 'DATA',
    message: /in the encoding "ebcdic-x", which nobody knows/,
  });
  await t.rejects(rowsOf(connection, { path: '/nothing' }), {
    fault: 'DATA',
    message: /answer is empty in place of JSON/,
  });
});
