import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import { fieldText, MalformedRecordError, RecordScanner } from '../../../src/drivers/csv/record-scanner.ts';
import type { MalformedRecord, ReadRequest, Row } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';

const { signal } = new AbortController();
const DRIVERS = { csv: csvDriver, json: jsonDriver };

interface Read {
  readonly rows: Row[];
  readonly raws: (string | Uint8Array)[];
  readonly messages: string[];
  /** Rows of each batch, with the malformed records that were told before it. */
  readonly batches: string[];
}

async function readOf(
  t: Test,
  file: string,
  content: string | Buffer,
  args: object = {},
  options: Partial<ReadRequest> = {},
): Promise<Read> {
  const root = realpathSync(t.testdir());
  writeFileSync(join(root, file), content);
  const driver = DRIVERS[file.endsWith('.csv') ? 'csv' : 'json'];
  const context = { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 };
  const connection = await driver.connect({ path: '.' }, context);
  const read: Read = { rows: [], raws: [], messages: [], batches: [] };
  let told = 0;
  const onMalformed = ({ raw, error }: MalformedRecord) => {
    read.raws.push(raw);
    read.messages.push(error.message);
    told++;
  };
  const request = { method: 'read', args: { file, ...args }, signal, onMalformed, ...options };
  for await (const batch of connection.read(request)) {
    read.rows.push(...batch.rows);
    read.batches.push(`${batch.rows.length}+${told}`);
    told = 0;
  }
  return read;
}

t.test('CSV: lines with too few or too many fields are told, and do not decide the types', async (t) => {
  const text =
    'id,name,n\n1,Ann,1.5\nbroken\n2,"Bo\nb",2\n3,Cy,7,too,"ma\nny"\n\n4,Di,\r\n5,"E"x,1\n6,Fi,3\n7,Gi';
  const { rows, raws, messages } = await readOf(t, 'a.csv', text);
  t.strictSame(rows, [
    { id: 1, name: 'Ann', n: 1.5 },
    { id: 2, name: 'Bo\nb', n: 2 },
    { id: 4, name: 'Di', n: null },
    { id: 6, name: 'Fi', n: 3 },
  ]);
  t.strictSame(raws, ['broken', '3,Cy,7,too,"ma\nny"', '5,"E"x,1', '7,Gi']);
  t.strictSame(messages, [
    'The file "a.csv", line 3: there is 1 field, but the file has 3 columns',
    'The file "a.csv", line 6: there are more fields than the 3 columns of the file',
    'The file "a.csv", line 10: there is text after a closing quote',
    'The file "a.csv", line 12: there are 2 fields, but the file has 3 columns',
  ]);
  const filtered = await readOf(t, 'a.csv', text, { filter: { id: { gte: 4 } } });
  t.strictSame(
    filtered.rows.map(({ id }) => id),
    [4, 6],
  );
  t.equal(filtered.raws.length, 4);
  await t.rejects(readOf(t, 'a.csv', text, {}, { onMalformed: undefined }), {
    fault: 'DATA',
    message: /line 3: there is 1 field/,
  });
});

t.test('CSV: a record with bytes that are not UTF-8 is told with its bytes', async (t) => {
  const bad = Buffer.from('2,B\xfcb\xff,2', 'latin1');
  const content = Buffer.concat([Buffer.from('id,name,n\n1,Änn €,1\n'), bad, Buffer.from('\n3,😀,3\n')]);
  const { rows, raws, messages } = await readOf(t, 'a.csv', content);
  t.strictSame(rows, [
    { id: 1, name: 'Änn €', n: 1 },
    { id: 3, name: '😀', n: 3 },
  ]);
  t.strictSame(raws, [bad]);
  t.match(messages[0], /line 3: there are bytes that are not UTF-8/);
  await t.rejects(readOf(t, 'a.csv', content, {}, { onMalformed: undefined }), { message: /is not UTF-8/ });
});

t.test('CSV: what cannot be told apart into records still ends the read', async (t) => {
  await t.rejects(readOf(t, 'a.csv', 'a,b\n1,2\n3,"4\n5,6\n'), { message: /line 3: a quote is not closed/ });
  await t.rejects(
    readOf(t, 'a.csv', 'a,"b"x\n1,2\n'),
    { message: /line 1: / },
    'the header decides the rest',
  );
});

/** The two fields of each record, or what is told of it; in order, until a fault that ends the read. */
function scannedIn(pieces: readonly string[]): string[] {
  const scanner = new RecordScanner({
    name: 'a',
    delimiter: ',',
    width: 2,
    ragged: 'error',
    loneReturns: false,
    recordCharsMax: 1_000,
  });
  const found: string[] = [];
  for (const [at, piece] of [...pieces, ''].entries()) {
    scanner.feed(piece, at === pieces.length);
    for (let records = -1; records !== 0; ) {
      try {
        records = scanner.scan();
        const places = [...scanner.fields.subarray(0, records * 4)];
        for (let i = 0; i < places.length; i += 2)
          found.push(fieldText(scanner.text, places[i] ?? 0, places[i + 1] ?? 0));
      } catch (error) {
        if (!(error instanceof MalformedRecordError)) return [...found, (error as Error).message];
        found.push(error.message, scanner.skip(error));
      }
    }
  }
  return found;
}

t.test('CSV: what is found in pieces of any size is what is found in the whole', async () => {
  const field = fc.constantFrom('1', 'x', '"a,b"', '"a\nb"', '"a"x', '');
  const record = fc.array(field, { minLength: 1, maxLength: 4 }).map((fields) => fields.join(','));
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), sizes, (records, lengths) => {
      const text = `${records.join('\n')}\n`;
      const pieces: string[] = [];
      for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 1)
        pieces.push(text.slice(from, from + (lengths[pieces.length % lengths.length] ?? 1)));
      assert.deepEqual(scannedIn(pieces), scannedIn([text]));
    }),
    { numRuns: 300 },
  );
});

t.test('a batch comes for as many records, rows or not, so that they can be counted in time', async (t) => {
  const csv = `id,n\n${'1,2\n3\n'.repeat(4)}${'5\n'.repeat(7)}6,7\n`;
  t.strictSame((await readOf(t, 'a.csv', csv, {}, { batchRows: 4 })).batches, ['2+2', '2+2', '0+4', '1+3']);
  const lines = `${'{"id":1}\n{\n'.repeat(4)}${'x\n'.repeat(7)}{"id":6}\n`;
  t.strictSame((await readOf(t, 'a.ndjson', lines, {}, { batchRows: 4 })).batches, [
    '2+2',
    '2+2',
    '0+4',
    '1+3',
  ]);
});

t.test('NDJSON: a line that is not JSON, or not UTF-8, is told', async (t) => {
  const bad = Buffer.from('{"id":4,"s":"\xfc"}', 'latin1');
  const content = Buffer.concat([
    Buffer.from('{"id":1,"s":"ä"}\n{"id":2,\n\n{"id":3,"s":"b"}\n'),
    bad,
    Buffer.from('\n{"id":5'),
  ]);
  const { rows, raws, messages } = await readOf(t, 'a.ndjson', content);
  t.strictSame(rows, [
    { id: 1, s: 'ä' },
    { id: 3, s: 'b' },
  ]);
  t.strictSame(raws, ['{"id":2,', bad, '{"id":5']);
  t.match(messages, [/not valid JSON in line 2/, /not UTF-8 in line 5/, /not valid JSON in line 6/]);
  await t.rejects(readOf(t, 'a.ndjson', content, {}, { onMalformed: undefined }), {
    message:
      'The file "a.ndjson" is not UTF-8 text: line 5, column 14 has the byte 0xFC; as windows-1252 it reads "ü"; JSON has no other encoding: convert the file to UTF-8',
  });
});

t.test(
  'JSON list: an element that is not JSON is told; a list that does not end ends the read',
  async (t) => {
    const { rows, raws, messages } = await readOf(
      t,
      'a.json',
      '[{"id":1}, {"id":2,}, {"id":3, "s":"a,]}\\""}, nope, {id:5}, {"id":6},]',
    );
    t.strictSame(
      rows.map(({ id }) => id),
      [1, 3, 6],
    );
    t.strictSame(raws, ['{"id":2,}', 'nope', '{id:5}', '']);
    t.match(messages, [/in element 2/, /in element 4/, /in element 5/, /in element 7/]);
    t.strictSame((await readOf(t, 'a.json', '[]')).rows, []);
    await t.rejects(readOf(t, 'a.json', '[{"id":1}, {"id":2}'), { message: /the list does not end/ });
    await t.rejects(readOf(t, 'a.json', '{"data":[{"id":1},{]}', { records: 'data' }), {
      message: /as one document/,
    });
  },
);
