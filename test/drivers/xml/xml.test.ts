import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { xmlDriver } from '../../../src/drivers/xml/driver.ts';
import { connectS3, context, loadOf, rowsOf, signal } from '../files/s3/connect-s3.ts';

async function connect(t: Test, files: Record<string, string | Buffer>, config: object) {
  const folder = t.testdir();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return connectS3(t, { path: folder, ...config }, xmlDriver, { ...context, fileRoots: [folder] });
}

const BOOKS = `<?xml version="1.0" encoding="UTF-8"?>
<catalog xmlns:m="http://m"><!-- two --><title>no row</title>
  <book id="1" m:lang="de"><title>Ä &amp; <![CDATA[<B>]]></title><price currency="EUR">9.50</price><tag>a</tag><tag>b</tag></book>
  <book id="2"><title/><m:price>3</m:price><author><name>X</name></author></book>
</catalog>`;
const ROWS = [
  {
    '@id': '1',
    '@lang': 'de',
    title: 'Ä & <B>',
    price: { '@currency': 'EUR', '#text': '9.50' },
    tag: ['a', 'b'],
    // What an element lacks is absent.
    author: undefined,
  },
  { '@id': '2', '@lang': undefined, title: null, price: '3', tag: undefined, author: { name: 'X' } },
];

t.test('rows are elements by their path or their name, with attributes, texts, lists and maps', async (t) => {
  for (const records of ['catalog/book', 'book']) {
    const connection = await connect(t, { 'a.xml': BOOKS, 'b.xml.gz': gzipSync(BOOKS) }, { records });
    t.strictSame(await rowsOf(connection, { file: 'a.xml' }), ROWS);
    t.equal((await rowsOf(connection, { files: '*', file_column: 'file' })).length, 4);
    t.strictSame(await rowsOf(connection, { file: 'a.xml', columns: ['@id'], filter: { price: '3' } }), [
      { '@id': '2' },
    ]);
    const page = await connection.page({ resource: 'a.xml', limit: 1, signal });
    t.strictSame([page.rows.length, typeof page.next_cursor], [1, 'string']);
    t.match(await connection.describe('a.xml', signal), [{ name: '@id', type: 'string', nullable: false }]);
  }
  const none = await connect(t, { 'a.xml': BOOKS }, { records: 'catalog/other' });
  t.strictSame(await rowsOf(none, { file: 'a.xml' }), []);
});

t.test('namespaces tell elements of one name apart', async (t) => {
  const text =
    '<r xmlns="http://a" xmlns:b="http://b"><i>1</i><b:i>2</b:i><x xmlns="http://b"><i>3</i></x></r>';
  const config = { records: 'n:i', namespaces: { n: 'http://b' } };
  const rows = await rowsOf(await connect(t, { 'a.xml': text }, config), { file: 'a.xml' });
  t.strictSame(rows, [{ '#text': '2' }, { '#text': '3' }]);
  t.match(xmlDriver.config.safeParse({ path: 'a', records: 'n:i' }).error?.issues, [
    { message: /has no "n"/ },
  ]);
  t.notOk(xmlDriver.config.safeParse({ path: 'a', records: 'a//b' }).success);
});

t.test('encodings are those that the file declares, of those that are known', async (t) => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r><i>ä</i></r>', 'latin1');
  const files = {
    'latin.xml': latin,
    'utf16.xml': Buffer.from('\ufeff<r><i>1</i></r>', 'utf16le'),
    'other.xml': '<?xml version="1.0" encoding="EBCDIC"?><r/>',
    'bom.xml': '\ufeff<?xml version="1.0"?><r><i>1</i></r>',
  };
  const connection = await connect(t, files, { records: 'r/i' });
  t.strictSame(await rowsOf(connection, { file: 'latin.xml' }), [{ '#text': 'ä' }]);
  t.strictSame(await rowsOf(connection, { file: 'bom.xml' }), [{ '#text': '1' }]);
  t.strictSame(await rowsOf(connection, { file: 'utf16.xml' }), [{ '#text': '1' }]);
  await t.rejects(rowsOf(connection, { file: 'other.xml' }), { fault: 'DATA', message: /"EBCDIC"/ });
});

t.test('what is not well-formed, and what would explode, is refused with its place', async (t) => {
  const laughs = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><r><i>&b;</i></r>';
  const files = {
    'cut.xml': '<r>\n<i>1</i>\n<i>',
    'crossed.xml': '<r>\n<i></r></i>',
    'entity.xml': '<r><i>&nbsp;</i></r>',
    'doctype.xml': laughs,
    'page.xml': '<!doctype html><html><p>no</html>',
    'deep.xml': `<r>${'<i>'.repeat(300)}`,
    'large.xml': `<r><i>${'x'.repeat(17 * 1024 * 1024)}</i></r>`,
    'empty.xml': '',
  };
  const connection = await connect(t, files, { records: 'r/i' });
  const CASES: readonly (readonly [string, RegExp])[] = [
    ['cut.xml', /"cut.xml" is not well-formed XML \(line 3/],
    ['crossed.xml', /well-formed XML \(line 2/],
    ['entity.xml', /well-formed/],
    ['doctype.xml', /document type/],
    ['page.xml', /well-formed/],
    ['deep.xml', /more than 200 elements/],
    ['large.xml', /more than 16 MB/],
    ['empty.xml', /well-formed/],
  ];
  for (const [file, message] of CASES)
    await t.rejects(rowsOf(connection, { file }), { fault: 'DATA', message }, file);
  await t.rejects(connection.openWriter(loadOf('a.xml')), { fault: 'CONFIG', message: /read-only/ });
});

t.test('a large file is streamed: the first rows come before the rest is read', async (t) => {
  const text = `<r>${'<i a="1"><b>text of a row</b></i>'.repeat(200_000)}</r>`;
  const connection = await connect(t, { 'a.xml': text }, { records: 'r/i' });
  let rows = 0;
  for await (const batch of connection.read({ method: 'read', args: { file: 'a.xml' }, signal }))
    rows += batch.rows.length;
  t.equal(rows, 200_000);
  t.equal((await rowsOf(connection, { file: 'a.xml' }, { limit: 3 })).length, 3);
});

t.test('a file whose first element is not that of the path is refused: it would read as empty', async (t) => {
  const connection = await connect(t, { 'a.xml': BOOKS }, { records: 'catalogue/book' });
  await t.rejects(rowsOf(connection, { file: 'a.xml' }), {
    fault: 'DATA',
    message: /"a\.xml" begins with the element "catalog", not "catalogue": correct the path in "records"/,
  });
  const none = await connect(
    t,
    { 'a.xml': '<catalog><title>none</title></catalog>' },
    { records: 'catalog/book' },
  );
  t.strictSame(await rowsOf(none, { file: 'a.xml' }), []);
});
