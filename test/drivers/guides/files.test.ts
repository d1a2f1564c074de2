import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { parse } from 'yaml';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';
import { startReceiver } from '../../support/http-receiver.ts';

function guide(name: string) {
  const blocks = codeBlocks(`docs/connectors/${name}.md`);
  const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
  const [yaml = '', second = ''] = blocks.filter(({ info }) => info === 'yaml task').map(({ text }) => text);
  return { yaml, second, connectors: parse(textOf('yaml connectors')) };
}

const inFolder = (folder: string) => (name: string) => readFileSync(join(folder, name));

t.test('csv: exports of shops become a file for each day', async (t) => {
  const { yaml, connectors } = guide('csv');
  const folder = t.testdir({
    exports: {
      'shop-a.csv': 'id;day;total\n1;2026-01-31;2,50\n2;2026-02-01;3\n',
      'shop-b.csv': 'id;day;total\n3;2026-01-31;4\n4\n',
    },
    out: {},
  });
  const keeper = createKeeper();
  t.match(await runYaml({ folder, yaml, connectors, keeper }), {
    status: 'warning',
    rows_out: 3,
    rows_failed: 1,
  });
  t.equal(keeper.letters.length, 1);
  const text = (day: string) => gunzipSync(inFolder(folder)(`out/day=${day}/00001.csv.gz`)).toString();
  t.equal(text('2026-01-31'), 'id,total,shop\n1,2.5,shop-a.csv\n3,4,shop-b.csv\n');
  t.equal(text('2026-02-01'), 'id,total,shop\n2,3,shop-a.csv\n');
});

t.test('json: the list of a document becomes lines', async (t) => {
  const { yaml, connectors } = guide('json');
  const items = [
    { id: 1, total: 2.5 },
    { id: 2, total: 3, tags: ['new'] },
  ];
  const folder = t.testdir({ 'export.json': JSON.stringify({ data: { items } }) });
  for (const id of [1, 2]) {
    const input = { run: { id, attempt: 1 } };
    t.match(await runYaml({ folder, yaml, connectors, keeper: createKeeper(), input }), {
      status: 'success',
    });
  }
  const line = '{"id":2,"total":3,"tags":["new"]}\n';
  t.equal(inFolder(folder)('orders.ndjson').toString(), line + line);
});

t.test('parquet: folders for days, and a query over them', async (t) => {
  const { yaml, second, connectors } = guide('parquet');
  const folder = t.testdir({
    'orders.csv': 'id,day,total\n1,2026-01-31,2.5\n2,2026-02-01,3\n3,2026-01-31,4\n',
    lake: {},
  });
  const run = { folder, connectors, keeper: createKeeper() };
  t.match(await runYaml({ ...run, yaml }), { status: 'success', rows_out: 3 });
  t.match(await runYaml({ ...run, yaml: second }), { status: 'success', rows_out: 2 });
  t.equal(inFolder(folder)('report.csv').toString(), 'day,orders,total\n2026-01-31,2,6.5\n2026-02-01,1,3\n');
});

t.test('https: a compressed file goes into a table', async (t) => {
  const { yaml, connectors } = guide('https-files');
  const server = await startReceiver(t);
  server.answer = (response, { path }) => {
    const found = path === '/rates/2026/rates.csv.gz';
    response.writeHead(found ? 200 : 404).end(found ? gzipSync('currency,rate\nEUR,1\nUSD,1.25\n') : '');
  };
  connectors.rates.config.path = `http://127.0.0.1:${server.port}/rates/`;
  const folder = t.testdir();
  t.match(await runYaml({ folder, yaml, connectors, keeper: createKeeper() }), {
    status: 'success',
    rows_out: 2,
  });
  const db = new DatabaseSync(join(folder, 'rates.db'), { readOnly: true });
  t.teardown(() => db.close());
  t.equal(db.prepare('SELECT sum(rate) AS n FROM rates').get()?.['n'], 2.25);
});

t.test('xml: a catalogue becomes a table', async (t) => {
  const { yaml, connectors } = guide('xml');
  const [, xml = ''] = /<<'XML'\n(.*?)^XML$/ms.exec(readFileSync('docs/connectors/xml.md', 'utf8')) ?? [];
  const folder = t.testdir({ 'books.xml': xml });
  t.match(await runYaml({ folder, yaml, connectors, keeper: createKeeper() }), {
    status: 'success',
    rows_out: 2,
  });
  const db = new DatabaseSync(join(folder, 'books.db'), { readOnly: true });
  t.teardown(() => db.close());
  t.strictSame(
    { ...db.prepare('SELECT * FROM books WHERE id = 1').get() },
    {
      id: 1,
      title: 'Rain',
      price: 9.5,
      currency: 'EUR',
    },
  );
});
