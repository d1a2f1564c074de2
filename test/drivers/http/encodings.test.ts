import t from 'tap';
import { rowsOf, signal, startApi } from './http-api.ts';

/** Bytes of a text in a single-byte encoding, by a few characters of it. */
function bytesOf(text: string, special: Readonly<Record<string, number>>): Buffer {
  return Buffer.from([...text].map((character) => special[character] ?? character.charCodeAt(0)));
}

const WESTERN = { ü: 0xfc, '€': 0x80, ß: 0xdf };
const UTF_16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

interface Answered {
  readonly type: string;
  readonly body: Buffer;
  readonly args?: object;
}

async function readOf(test: Parameters<typeof startApi>[0], { type, body, args = {} }: Answered) {
  const api = await startApi(test, (_query, _request, _index, response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
    return undefined;
  });
  const connection = await api.connect();
  return rowsOf(connection, { path: '/list', ...args });
}

t.test('an answer is read in the encoding that it declares', async (t) => {
  const json = '[{"id":1,"name":"Grün 10 €"}]';
  const xml = '<?xml version="1.0" encoding="windows-1252"?><rows><row><name>Grün 10 €</name></row></rows>';
  const inXml = { records: 'rows.row' };
  const cases: readonly (readonly [string, Answered])[] = [
    ['UTF-8 by default', { type: 'application/json', body: Buffer.from(json) }],
    ['with a mark', { type: 'application/json', body: Buffer.from(`\uFEFF${json}`) }],
    ['UTF-16 by its mark', { type: 'application/json', body: UTF_16(json) }],
    ['by Content-Type', { type: 'application/json; charset=windows-1252', body: bytesOf(json, WESTERN) }],
    [
      'by a label that means what browsers mean',
      { type: 'application/json; charset=ISO-8859-1', body: bytesOf(json, WESTERN) },
    ],
    ['by the prolog of XML', { type: 'application/xml', body: bytesOf(xml, WESTERN), args: inXml }],
    [
      'by Content-Type before the prolog',
      { type: 'text/xml; charset=utf-8', body: Buffer.from(xml), args: inXml },
    ],
    [
      'by the argument',
      { type: 'application/json', body: bytesOf(json, WESTERN), args: { encoding: 'windows-1252' } },
    ],
    ['CSV', { type: 'text/csv; charset=windows-1252', body: bytesOf('id,name\n1,Grün 10 €\n', WESTERN) }],
    [
      'NDJSON',
      {
        type: 'application/x-ndjson; charset=windows-1252',
        body: bytesOf(`${json.slice(1, -1)}\n`, WESTERN),
      },
    ],
  ];
  for (const [what, answered] of cases) t.match(await readOf(t, answered), [{ name: 'Grün 10 €' }], what);
});

t.test(
  'bytes that the encoding does not have are refused, with their place and what they may be',
  async (t) => {
    const body = bytesOf('[{"id":1},\n{"id":2,"name":"Grüße"}]', WESTERN);
    await t.rejects(readOf(t, { type: 'application/json', body }), {
      fault: 'DATA',
      message:
        /The API's answer is not UTF-8 text: line 2, column 19 has the byte 0xFC; as windows-1252 it reads "Grüße"; set "encoding"/,
    });
    const xml = '<?xml version="1.0" encoding="utf-8"?><rows><row><name>Grüße</name></row></rows>';
    const inXml = { type: 'application/xml', args: { records: 'rows.row' } };
    await t.rejects(readOf(t, { ...inXml, body: bytesOf(xml, WESTERN) }), {
      fault: 'DATA',
      message: /not UTF-8/,
    });
    await t.rejects(readOf(t, { type: 'application/json; charset=klingon', body: Buffer.from('[]') }), {
      fault: 'DATA',
      message: /encoding "klingon", which nobody knows/,
    });
  },
);

t.test('numbers of answers keep every digit, and NaN is refused', async (t) => {
  const body = Buffer.from(
    '[{"id":9007199254740993,"amount":12345678901234567.89,"deep":{"n":9007199254740993}}]',
  );
  t.strictSame(await readOf(t, { type: 'application/json', body }), [
    { id: '9007199254740993', amount: '12345678901234567.89', deep: { n: '9007199254740993' } },
  ]);
  const nan = Buffer.from('[{"id":1,"v":NaN}]');
  await t.rejects(readOf(t, { type: 'application/json', body: nan }), { fault: 'DATA', message: /no JSON/ });
});

t.test(
  'texts that are all timestamps make a column of timestamps, unless it is said otherwise',
  async (t) => {
    const body =
      '[{"id":1,"at":"2026-01-01T10:00:00Z","note":"x"},{"id":2,"at":"2026-01-02T10:00:00+02:00","note":"y"}]';
    const api = await startApi(t, (_query, _request, _index, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      return undefined;
    });
    const typesOf = async (args: object) => {
      const connection = await api.connect();
      for await (const { columns } of connection.read({
        method: 'list',
        args: { path: '/list', ...args },
        signal,
      }))
        return Object.fromEntries(columns.map(({ name, type }) => [name, type]));
      return {};
    };
    t.same(await typesOf({}), { id: 'integer', at: 'timestamp', note: 'string' });
    t.same(await typesOf({ infer: { timestamps: false } }), { id: 'integer', at: 'string', note: 'string' });
  },
);
