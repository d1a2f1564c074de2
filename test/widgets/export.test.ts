import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Answer } from '../../src/threads/messages.ts';
import type { RowsPage } from '../../src/threads/widget-messages.ts';
import { exportText } from '../../src/widgets/export-text.ts';
import { createWidgetScene } from './fixtures/widget-scene.ts';

const YAML = `
scope: { mine: { db: { tenant: acme } } }
default_scope: mine
widgets:
  - { id: ex, type: explorer, connector: db, method: list, args: { table: people, sort: [name] }, export: true, filters: [{ key: city }], columns: [{ key: name, label: "Full, name", href_expr: "'/x'" }, { key: age, format: "currency:EUR" }, { key: twice, value_expr: item.age * 2 }] }
  - { id: many, type: explorer, connector: many, scope: null, method: read, args: { file: many.csv }, export: true }
  - { id: table, type: table, connector: db, method: list, args: { table: people }, columns: [{ key: name }], limit: 1, sort: -name, export: true }
  - { id: kept, type: table, connector: db, method: list, args: { table: people } }
`;

t.test('an export has the raw values of the shown columns, within the scope', async (t) => {
  const scene = createWidgetScene(t);
  const csv = await scene.export(YAML, 'ex', 'csv', { filters: { city: { ne: 'London' } } });
  t.same(csv, {
    text: '"Full, name",age,twice\r\nBob,50,100\r\nDi,41,82\r\nEd,29,58\r\n',
    rows: 3,
    next_cursor: null,
  });
  const lines = await scene.export(YAML, 'ex', 'ndjson', { sort: '-name', limit: 1 });
  t.equal(lines.rows, 4, 'the page size of an export is its own');
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
  let cursor: string | null = null;
  const counts: number[] = [];
  do {
    const page: RowsPage = { limit: 5, cursor, sort: null, search: null, filters: {} };
    const input = { ...scene.input(YAML, 'many', { connectors }), page };
    const piece: Answer<'widget_export'> = await scene.run('widget_export', { ...input, format: 'csv' });
    text += piece.text;
    counts.push(piece.rows);
    cursor = piece.next_cursor;
  } while (cursor !== null);
  t.same(counts, [1_000, 1_000, 500]);
  t.equal(text, `id\r\n${ids.join('\r\n')}\r\n`);
});

t.test('no cell of a CSV is a formula, and numbers stay numbers', async (t) => {
  const columns = [{ key: 'a', label: '=A' }];
  const line = (a: unknown) => exportText({ columns, rows: [{ a }], next_cursor: null }, 'csv', false);
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
  t.equal(exportText(page, 'csv', true), "'=A\r\n'=1\r\n");
  t.equal(exportText(page, 'ndjson', true), '{"a":"=1"}\n', 'what is no spreadsheet needs no guard');
});
