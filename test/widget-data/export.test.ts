import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Answer } from '../../src/threads/messages/calls.ts';
import type { RowsPage, WidgetInput } from '../../src/threads/messages/widget-calls.ts';
import { exportText } from '../../src/widget-data/export/export-page.ts';
import { createWidgetScene, type WidgetScene } from './fixtures/widget-scene.ts';

const YAML = `
scope: { mine: { db: { tenant: acme } } }
default_scope: mine
widgets:
  - { id: ex, type: explorer, connector: db, method: list, args: { table: people, sort: [name] }, export: true, filters: [{ key: city }], columns: [{ key: name, label: "Full, name", href_expr: "'/x'" }, { key: age, format: "currency:EUR" }, { key: twice, value_expr: item.age * 2 }] }
  - { id: many, type: explorer, connector: many, scope: null, method: read, args: { file: many.csv }, export: true }
  - { id: table, type: table, connector: db, method: list, args: { table: people }, columns: [{ key: name }], limit: 1, sort: -name, export: true }
  - { id: mixed, type: explorer, connector: mixed, method: read, export: true }
  - { id: shaped, type: explorer, connector: fake, method: list, export: true, transform_expr: "data.{ 'id': id, 'a': a, 'b': b }" }
  - { id: cells, type: table, connector: fake, method: list, export: true, items_expr: "data.{ 'id': id, 'a': a, 'b': b }" }
  - { id: kept, type: table, connector: db, method: list, args: { table: people } }
`;

/** The pieces of a file, one after another, as the control plane asks for them. */
async function* piecesOf(scene: WidgetScene, input: WidgetInput, format: 'csv' | 'ndjson') {
  let cursor: string | null = null;
  let header: readonly string[] | null = null;
  do {
    const page: RowsPage = { limit: 1_000, cursor, sort: null, search: null, filters: {} };
    const piece: Answer<'widget_export'> = await scene.run('widget_export', {
      ...input,
      page,
      format,
      header,
    });
    yield piece;
    header ??= piece.columns;
    cursor = piece.next_cursor;
  } while (cursor !== null);
}

t.test('an export has the raw values of the shown columns, within the scope', async (t) => {
  const scene = createWidgetScene(t);
  const csv = await scene.export(YAML, 'ex', 'csv', { filters: { city: { ne: 'London' } } });
  t.same(csv, {
    text: '"Full, name",age,twice\r\nBob,50,100\r\nDi,41,82\r\nEd,29,58\r\n',
    rows: 3,
    columns: ['name', 'age', 'twice'],
    next_cursor: null,
  });
  const lines = await scene.export(YAML, 'ex', 'ndjson', { sort: '-name', limit: 3 });
  t.equal(lines.rows, 3);
  t.same(JSON.parse(lines.text.split('\n')[0] ?? ''), { name: 'Ed', age: 29, twice: 58 });
  t.equal((await scene.export(YAML, 'table', 'csv')).text, 'name\r\nEd\r\nDi\r\nBob\r\nAda\r\n');
  await t.rejects(scene.export(YAML, 'kept', 'csv'), {
    code: 'VALIDATION_ERROR',
    message: /offers no export/,
  });
  await t.rejects(scene.export(YAML, 'ex', 'csv', { sort: 'tenant' }), { code: 'VALIDATION_ERROR' });
});

t.test('an export goes on page by page, with one header', async (t) => {
  const scene = createWidgetScene(t);
  const ids = Array.from({ length: 2_500 }, (_, index) => index + 1);
  writeFileSync(join(scene.folder, 'many.csv'), `id\n${ids.join('\n')}\n`);
  const connectors = {
    ...scene.connectors,
    many: { id: 8, version: 1, type: 'csv', config: { path: scene.folder } },
  };
  let text = '';
  const counts: number[] = [];
  for await (const piece of piecesOf(scene, scene.input(YAML, 'many', { connectors }), 'csv')) {
    text += piece.text;
    counts.push(piece.rows);
  }
  t.same(counts, [1_000, 1_000, 500]);
  t.equal(text, `id\r\n${ids.join('\r\n')}\r\n`);
});

t.test('every line of a CSV has the columns of its header, however its rows differ', async (t) => {
  const scene = createWidgetScene(t);
  const records = (late: object) =>
    Array.from({ length: 1_500 }, (_, id) =>
      id < 500 ? { id, a: `a${id}` } : { b: `b${id}`, id, ...(id > 1_200 && late) },
    );
  const file = (content: unknown) => writeFileSync(join(scene.folder, 'mixed.json'), JSON.stringify(content));
  const connectors = {
    mixed: { id: 9, version: 1, type: 'json', config: { path: join(scene.folder, 'mixed.json') } },
    fake: { id: 10, version: 1, type: 'dummy', config: { rows: records({}) } },
  };
  const lines = async (id: string, format: 'csv' | 'ndjson') => {
    let text = '';
    for await (const piece of piecesOf(scene, scene.input(YAML, id, { connectors }), format))
      text += piece.text;
    return text.split(/\r?\n/);
  };
  file(records({}));
  for (const id of ['mixed', 'shaped', 'cells']) {
    const csv = await lines(id, 'csv');
    t.same(
      [csv[0], csv[1], csv[500], csv[501], csv[1_500]],
      ['id,a,b', '0,a0,', '499,a499,', '500,,b500', '1499,,b1499'],
      id,
    );
  }
  file(records({ late: 1 }));
  await t.rejects(lines('mixed', 'csv'), {
    code: 'UNPROCESSABLE',
    message: /have a column "late" that its first rows/,
  });
  const last = (await lines('mixed', 'ndjson')).at(-2) ?? '';
  t.same(JSON.parse(last), { id: 1_499, a: null, b: 'b1499', late: 1 });
});

t.test('no cell of a CSV is a formula, and numbers stay numbers', async (t) => {
  const columns = [{ key: 'a', label: '=A' }];
  const line = (a: unknown) => exportText({ columns, rows: [{ a }], next_cursor: null }, 'csv', ['a']);
  t.equal(line('=1+1'), "'=1+1\r\n");
  t.equal(line('+49 30'), "'+49 30\r\n");
  t.equal(line('-x'), "'-x\r\n");
  t.equal(line('@SUM(A1)'), "'@SUM(A1)\r\n");
  t.equal(line('\tx'), "'\tx\r\n");
  t.equal(line('\rx'), '"\'\rx"\r\n');
  t.equal(line('=HYPERLINK("x","y")'), '"\'=HYPERLINK(""x"",""y"")"\r\n');
  t.equal(line(-5), '-5\r\n');
  t.equal(line('-12.50'), '-12.50\r\n', 'decimals travel as text');
  t.equal(line('-1+cmd'), "'-1+cmd\r\n");
  t.equal(line('a "b"\nc'), '"a ""b""\nc"\r\n');
  t.equal(line(null), '\r\n');
  t.equal(line({ b: [1] }), '"{""b"":[1]}"\r\n');
  t.equal(line(true), 'true\r\n');
  const page = { columns, rows: [{ a: '=1', hidden: 2 }], next_cursor: null };
  t.equal(exportText(page, 'csv', null), "'=A\r\n'=1\r\n");
  t.equal(exportText(page, 'ndjson', null), '{"a":"=1"}\n', 'what is no spreadsheet needs no guard');
});
