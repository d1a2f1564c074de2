import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Driver } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { xmlDriver } from '../../../src/drivers/xml/driver.ts';
import { connectS3, context, loadOf, rowsOf, signal } from './s3/connect-s3.ts';

async function connect(
  t: Test,
  files: Record<string, Buffer>,
  driver: Driver = csvDriver,
  config: object = {},
) {
  const folder = t.testdir();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return connectS3(t, { path: folder, ...config }, driver, { ...context, fileRoots: [folder] });
}

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

t.test('encodings go by their names on the web, and latin1 is what browsers take it for', async (t) => {
  const western = Buffer.from([0x80, 0x20, 0x93, 0x71, 0x94, 0xe4]);
  const file = (value: Buffer) => Buffer.concat([Buffer.from('id,v\n1,'), value, Buffer.from('\n')]);
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['windows-1252', western, '€ “q”ä'],
    ['latin1', western, '€ “q”ä'],
    ['ISO-8859-1', western, '€ “q”ä'],
    ['cp1252', western, '€ “q”ä'],
    ['iso-8859-15', Buffer.from([0xa4, 0xe4]), '€ä'],
    ['windows-1250', Buffer.from([0xa3, 0xf3, 0x64, 0x9f]), 'Łódź'],
    ['windows-1251', Buffer.from([0xcf, 0xf0, 0xe8]), 'При'],
    ['koi8-r', Buffer.from([0xf0]), 'П'],
    ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['gbk', Buffer.from([0xc4, 0xe3]), '你'],
    ['big5', Buffer.from([0xa7, 0x41]), '你'],
    ['euc-kr', Buffer.from([0xc7, 0xd1]), '한'],
    ['macintosh', Buffer.from([0x8a]), 'ä'],
  ];
  for (const [encoding, bytes, v] of cases) {
    const connection = await connect(t, { 'a.csv': file(bytes), 'a.csv.gz': gzipSync(file(bytes)) });
    for (const name of ['a.csv', 'a.csv.gz'])
      t.strictSame(await rowsOf(connection, { file: name, encoding }), [{ id: 1, v }], `${encoding} ${name}`);
  }
  await t.rejects(
    rowsOf(await connect(t, { 'a.csv': file(western) }), { file: 'a.csv', encoding: 'klingon' }),
    {
      fault: 'CONFIG',
      message: /such as "utf-8", "windows-1252"/,
    },
  );
});

t.test('UTF-16 is read by its byte order mark or its name, over the borders of chunks', async (t) => {
  const text = `id,v\n${Array.from({ length: 40_000 }, (_, id) => `${id},😀ä€\n`).join('')}`;
  for (const isBig of [false, true]) {
    const marked = utf16(`\uFEFF${text}`, isBig);
    const connection = await connect(t, {
      'a.csv': marked,
      'b.csv': utf16(text, isBig),
      'c.csv.gz': gzipSync(marked),
    });
    const rows = await rowsOf(connection, { file: 'a.csv' });
    t.strictSame([rows.length, rows.at(-1)], [40_000, { id: 39_999, v: '😀ä€' }]);
    t.strictSame(
      rows.filter(({ v }) => v !== '😀ä€'),
      [],
    );
    const named = { file: 'b.csv', encoding: isBig ? 'utf-16be' : 'UTF-16LE' };
    t.strictSame(await rowsOf(connection, named), rows);
    t.strictSame(
      await rowsOf(connection, { file: 'c.csv.gz', encoding: 'windows-1252' }),
      rows,
      'the mark counts',
    );
  }
  const json = await connect(
    t,
    { 'a.json': utf16('\uFEFF[{"a":"ä"}]'), 'b.ndjson': utf16('\uFEFF{"a":"ä"}\n', true) },
    jsonDriver,
  );
  t.strictSame(await rowsOf(json, { file: 'a.json' }), [{ a: 'ä' }]);
  t.strictSame(await rowsOf(json, { file: 'b.ndjson' }), [{ a: 'ä' }]);
});

t.test('any text of a multi-byte encoding is read as it is, wherever chunks are cut', async (t) => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'é', '日', '本', '😀', ' '),
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(700), fc.boolean(), async (v, pad, isBig) => {
      const text = `id,v\n${'0,xx\n'.repeat(26_100 + pad)}1,"${v}"\n`;
      const connection = await connect(t, { 'a.csv': utf16(`\uFEFF${text}`, isBig) });
      t.strictSame((await rowsOf(connection, { file: 'a.csv' })).at(-1), { id: 1, v });
    }),
    { numRuns: 6 },
  );
});

t.test(
  'bytes that the encoding lacks are refused with their place, and with what they say in another one',
  async (t) => {
    const said = async (bytes: Buffer, args: object = {}, driver: Driver = csvDriver, name = 'a.csv') => {
      const connection = await connect(t, { [name]: bytes }, driver);
      return rowsOf(connection, { file: name, ...args }).then(
        String,
        ({ fault, message }) => `${fault} ${message}`,
      );
    };
    const latin = Buffer.from('id,v\n1,x\n2,10 \x80 M\xfcller;x\n', 'latin1');
    t.equal(
      await said(latin),
      'DATA The file "a.csv" is not UTF-8 text: line 3, column 6 has the byte 0x80; as windows-1252 it reads "10 € Müller"; set "encoding" to "windows-1252" if that is right',
    );
    const late = Buffer.concat([Buffer.from(`id,v\n${'1,ä\n'.repeat(200_000)}`), latin.subarray(9)]);
    t.match(await said(late), /line 200002, column 6 has the byte 0x80/);
    t.match(await said(gzipSync(late), {}, csvDriver, 'a.csv.gz'), /line 200002, column 6/);
    t.match(
      await said(Buffer.from('id,v\n1,\x81\n', 'latin1'), { encoding: 'windows-1252' }),
      /not windows-1252 text: line 2, column 3 has the byte 0x81/,
    );
    t.match(
      await said(latin, { encoding: 'iso-8859-15' }),
      /line 3, column 6 .*as windows-1252 it reads "10 € Müller"/,
    );
    t.match(
      await said(Buffer.from([...Buffer.from('id,v\n1,'), 0x81, 10]), { encoding: 'shift_jis' }),
      /line 2, column 3/,
    );
    t.match(await said(utf16('id,v\n1,a\n')), /not UTF-8 text; as utf-16le it reads "id,v"/);
    t.match(await said(utf16('id,v\n1,ä\n')), /as utf-16le it reads "id,v"; set "encoding" to "utf-16le"/);
    const japanese = Buffer.from([
      ...Buffer.from('id,v\n1,'),
      0x93,
      0xfa,
      0x96,
      0x7b,
      0x82,
      0xcc,
      0x8d,
      0x91,
      10,
    ]);
    t.match(await said(japanese), /as shift_jis it reads "日本の国"/);
    const russian = Buffer.from([...Buffer.from('id,v\n1,'), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 10]);
    t.match(await said(russian), /as windows-1251 it reads "Привет"/);
    const torn = utf16('\uFEFFid,v\n1,x');
    torn.writeUInt16LE(0xd800, torn.length - 2);
    t.match(await said(torn), /not utf-16le text: line 2, column 3/);
    t.match(await said(utf16('\uFEFFid,v\n1,x').subarray(0, -1)), /not utf-16le text: line 2/);
    t.match(
      await said(Buffer.from('{"a":1}\n{"a":"\xfc"}\n', 'latin1'), {}, jsonDriver, 'a.ndjson'),
      /line 2, column 7 has the byte 0xFC.*JSON has no other encoding/,
    );
  },
);

t.test('XML is read in the encoding that its mark or its declaration names, and in no other', async (t) => {
  const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n<r><i>ä</i></r>`;
  const files = {
    'latin.xml': Buffer.from(xml('ISO-8859-1').replace('ä', '\x80\xe4'), 'latin1'),
    'japan.xml': Buffer.from(xml('Shift_JIS').replace('ä', '\x93\xfa'), 'latin1'),
    'wide.xml': utf16(`\uFEFF${xml('UTF-16')}`),
    'bare.xml': utf16(xml('UTF-16'), true),
    'bad.xml': Buffer.from(xml('UTF-8'), 'latin1'),
    'odd.xml': Buffer.from(xml('klingon')),
  };
  const connection = await connect(t, files, xmlDriver, { records: 'r/i' });
  const read = (file: string) => rowsOf(connection, { file });
  t.strictSame(await read('latin.xml'), [{ '#text': '€ä' }]);
  t.strictSame(await read('japan.xml'), [{ '#text': '日' }]);
  t.strictSame(await read('wide.xml'), [{ '#text': 'ä' }]);
  t.strictSame(await read('bare.xml'), [{ '#text': 'ä' }]);
  await t.rejects(read('bad.xml'), {
    message: /line 2, column 7 has the byte 0xE4.*XML declaration, such as encoding="windows-1252"/,
  });
  await t.rejects(read('odd.xml'), { message: /is in the encoding "klingon", which nobody knows/ });
});

t.test('a CSV file is appended to in its own encoding, and written in one of single bytes', async (t) => {
  const columns = [{ name: 'v', type: 'string', nullable: false }] as const;
  const connection = await connect(t, { 'wide.csv': utf16('\uFEFFv\nä\n') }, csvDriver, {
    encoding: 'windows-1252',
  });
  const write = async (object: string, v: string, mode: 'append' | 'replace' = 'append') => {
    const writer = await connection.openWriter(loadOf(object, { mode, loadId: `${object} ${v}` }));
    try {
      await writer.write({ columns, rows: [{ v }] });
      await writer.commit();
    } finally {
      await writer.abort();
    }
  };
  await write('new.csv', '€ “ä”');
  await write('new.csv', '–');
  t.strictSame(await rowsOf(connection, { file: 'new.csv' }), [{ v: '€ “ä”' }, { v: '–' }]);
  await t.rejects(write('new.csv', '日'), {
    fault: 'DATA',
    message: /"日" cannot be written in the encoding "windows-1252"/,
  });
  await t.rejects(write('wide.csv', 'x'), { fault: 'CONFIG', message: /are not written in utf-16le/ });
});

t.test('a line with the separator, and lines above the header, are skipped; a title is told', async (t) => {
  const connection = await connect(t, {
    'sep.csv': Buffer.from('sep=;\r\nid;v\r\n1;2\r\n'),
    'tab.csv': utf16('\uFEFFsep=\t\nid\tv\n1\t2,5\n'),
    'title.csv': Buffer.from('Report of May\n"made ""by"" hand"\nid;v\n1;x\n2;y;z\n'),
    'semi.csv': Buffer.from('Report of May\nid;v\n1;x\n2;y\n'),
    'none.csv': Buffer.from('only\n'),
  });
  t.strictSame(await rowsOf(connection, { file: 'sep.csv' }), [{ id: 1, v: 2 }]);
  t.strictSame(await rowsOf(connection, { file: 'sep.csv', header: false }), [
    { column_1: 'id', column_2: 'v' },
    { column_1: '1', column_2: '2' },
  ]);
  t.strictSame(await rowsOf(connection, { file: 'tab.csv' }), [{ id: 1, v: '2,5' }]);
  t.match(await connection.describe('sep.csv', signal), [{ name: 'id' }, { name: 'v' }]);
  const titled = { file: 'title.csv', skip_rows: 2 };
  await t.rejects(rowsOf(connection, titled), {
    message: /line 5: there are more fields than the 2 columns/,
  });
  const first = connection.read({ method: 'read', args: titled, signal, limit: 1 });
  for await (const batch of first)
    t.strictSame([batch.rows, batch.originOf?.(0)], [[{ id: 1, v: 'x' }], { file: 'title.csv', line: 4 }]);
  const told: string[] = [];
  const log = (_level: string, message: string) => told.push(message);
  t.equal((await rowsOf(connection, { file: 'semi.csv' }, { log })).length, 3);
  t.strictSame(told, [
    'The file "semi.csv" is read as one column, "Report of May", while the lines below have 2 fields with ";" between: if the first is a title, set "skip_rows"',
  ]);
  t.strictSame(await rowsOf(connection, { file: 'none.csv', skip_rows: 3 }), []);
  t.strictSame(await rowsOf(connection, { file: 'none.csv', skip_rows: 1 }), []);
});
