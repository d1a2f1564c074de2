import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { fewOrAll, ofFullList } from '../../support/fault-list.ts';
import { documents, PREFIX_ROWS, textOf } from './csv-documents.ts';
import { queriesOf } from './file-queries.ts';

const folder = t.testdir({});

const queried = queriesOf('csv', folder);

t.test('a query over a file and over its rows give the same, or fail the same', async (t) => {
  let taken = 0;
  const property = fc.asyncProperty(
    documents,
    fc.constantFrom('*', 'count(*) AS n', 'c, a', 'min(b)'),
    async (document, select) => {
      const { header } = document;
      const text = textOf(document);
      writeFileSync(join(folder, 'in.csv'), text);
      const query = `SELECT ${select.replaceAll('b', header.includes('b') ? (header.includes('q') ? '"b ""q"""' : 'b') : 'c')} FROM t`;
      const direct = await queried(query, false);
      const rows = await queried(query, true);
      if (direct.taken) taken += 1;
      // Of two failures, of the file's end and of two columns of one name, either may come first.
      const told = ({ made }: typeof rows) => (header === 'A,a,c' ? { ...made, failure: null } : made);
      t.strictSame(told(direct), told(rows), JSON.stringify({ text: text.slice(-300), query }));
    },
  );
  await fc.assert(property, {
    numRuns: fewOrAll(15, 60),
    examples: [
      [
        { lines: ['1,2024-02-31,0'], end: '\n', mark: '', long: false, day: '2024-01-05', header: 'a,b,c' },
        'count(*) AS n',
      ],
      [
        { lines: ['1,5,-,\u0000'], end: '\n', mark: '', long: false, day: '2024-01-05', header: 'a,b,c' },
        'c, a',
      ],
    ],
  });
  t.ok(taken > 0, `${taken} files were read by the engine`);
});

t.test('the log says whether the engine read the file itself', async (t) => {
  const ways = {
    'plain.csv': ['a,b\n1,2\n', /^query The engine read the table "t" directly from the file "plain\.csv"$/],
    'late.csv': [
      `a,b\n${'1,2\n'.repeat(PREFIX_ROWS)}x,2\n`,
      /^query The table "t" is read row by row: "late\.csv" has values in another format/,
    ],
    'returns.csv': [
      'a,b\r\n1,2\r\n',
      /^read The rows pass through the step: the engine cannot read this file, or this part of it, directly/,
    ],
  } as const;
  for (const [name, [text, said]] of Object.entries(ways)) {
    writeFileSync(join(folder, name), text);
    const { keeper } = await queried('SELECT count(a) AS n FROM t', false, name);
    const lines = keeper.logs.map(({ step_id, message }) => `${step_id} ${message}`);
    t.equal(lines.filter((line) => said.test(line)).length, 1, lines.join('\n'));
  }
});

t.test(
  'what shows far behind the beginning, while the engine reads, brings rows, too',
  ofFullList,
  async (t) => {
    const lines = `1,"${'two'.repeat(30)}"\n`.repeat(50_000);
    for (const end of ['3,four\r\n', '3,four,\n', '3, "four"\n', '3,fo\u0000ur\n']) {
      writeFileSync(join(folder, 'far.csv'), `a,b\n${lines}${end}`);
      const query = 'SELECT b, count(*) AS n, sum(a) AS a FROM t GROUP BY b ORDER BY b';
      const [file, rows] = [await queried(query, false, 'far.csv'), await queried(query, true, 'far.csv')];
      t.strictSame(file.made, rows.made, JSON.stringify(end));
      const said = file.keeper.logs.some(({ message }) => /The table "t" is read row by row/.test(message));
      t.ok(said, 'said in the log');
    }
    rmSync(join(folder, 'far.csv'));
  },
);

t.test('a day that does not exist fails the queries that read it, and no other', ofFullList, async (t) => {
  writeFileSync(
    join(folder, 'days.csv'),
    `day,seen,n\n${'2024-02-29,2024-01-01T00:00:00Z,1\n'.repeat(2_000)}2024-02-30,2023-02-29T00:00:00Z,1\n`,
  );
  for (const byRows of [false, true]) {
    const other = await queried('SELECT sum(n) AS n FROM t', byRows, 'days.csv');
    t.strictSame([other.made.status, other.made.rows], ['success', [{ n: 2_001 }]]);
    for (const column of ['day', 'seen']) {
      const { made } = await queried(`SELECT max(${column}) AS m FROM t`, byRows, 'days.csv');
      t.match(made.failure, { message: new RegExp(`The column "${column}" of the table "t" has a value`) });
    }
  }
});

t.test('a file that is not plain comes as rows', async (t) => {
  const texts = {
    'crlf.csv': 'a,b\r\n1,2\r\n',
    'decimal.csv': 'a,b\n1,12345678901234567.5\n',
    'one.csv': 'a\n1\n',
    'semicolon.csv': 'a;b\n1,5;2\n',
  };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(folder, name), text);
    const { taken, made } = await queried('SELECT count(*) AS n FROM t', false, name);
    t.strictSame([taken, made.rows], [false, [{ n: 1 }]], name);
  }
  rmSync(join(folder, 'crlf.csv'));
});
