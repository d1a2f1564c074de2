import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import writeExcelFile from 'write-excel-file/node';
import { excelDriver } from '../../../src/drivers/excel/driver.ts';
import { cellTime, timeFormatOf } from '../../../src/drivers/excel/workbook/cell-time.ts';
import { connect, readBytes, rowsOf, signal } from './connect-excel.ts';
import { sheetRow, workbookFile } from './workbook-file.ts';

async function ordersFolder(t: Test): Promise<string> {
  const root = realpathSync(t.testdir({}));
  const day = { format: 'dd/mm/yyyy' };
  const orders = [
    ['Orders of January'],
    [],
    ['id', 'customer', 'total', 'placed', 'shipped at', 'paid'],
    [1, 'Ärger & Söhne', 12.5, { value: new Date(Date.UTC(2026, 0, 31)), ...day }, null, true],
    [],
    [
      2,
      '007',
      3,
      null,
      { value: new Date(Date.UTC(2026, 0, 31, 13, 5, 7)), format: 'yyyy-mm-dd hh:mm:ss' },
      false,
    ],
  ];
  await writeExcelFile([
    { data: orders, sheet: 'Orders' },
    {
      data: [
        ['code', 'note'],
        ['A', 'first'],
        [17, 'second'],
      ],
      sheet: 'Codes',
    },
  ] as Parameters<typeof writeExcelFile>[0]).toFile(join(root, 'orders.xlsx'));
  return root;
}

t.test('a workbook has sheets, and its cells types', async (t) => {
  const connection = await connect(await ordersFolder(t), { path: 'orders.xlsx', skip_rows: 1 });
  t.equal(await connection.test(signal), 'orders.xlsx, 2 sheets');
  t.strictSame(await connection.listResources(signal), [
    { name: 'Orders', type: 'sheet' },
    { name: 'Codes', type: 'sheet' },
  ]);
  t.strictSame(await rowsOf(connection), {
    columns: [
      'id:integer',
      'customer:string',
      'total:number',
      'placed:date',
      'shipped at:timestamp',
      'paid:boolean',
    ],
    rows: [
      { id: 1, customer: 'Ärger & Söhne', total: 12.5, placed: '2026-01-31', 'shipped at': null, paid: true },
      { id: 2, customer: '007', total: 3, placed: null, 'shipped at': '2026-01-31T13:05:07', paid: false },
    ],
  });
  t.strictSame(
    await rowsOf(connection, { sheet: 'codes', skip_rows: 0 }),
    {
      columns: ['code:string', 'note:string'],
      rows: [
        { code: 'A', note: 'first' },
        { code: '17', note: 'second' },
      ],
    },
    'a column of texts and numbers is text',
  );
  t.match(await rowsOf(connection, { sheet: 2, skip_rows: 0, columns: ['note'], filter: { code: '17' } }), {
    rows: [{ note: 'second' }],
  });
  await t.rejects(rowsOf(connection, { sheet: 'Prices' }), {
    fault: 'CONFIG',
    message: 'The workbook "orders.xlsx" has no sheet "Prices"; its sheets are "Orders", "Codes"',
  });
});

t.test('a range names columns and rows; a page and its cursor are of one sheet', async (t) => {
  const root = await ordersFolder(t);
  const folder = await connect(root, { path: '.' });
  t.strictSame(await folder.listResources(signal), [{ name: 'orders.xlsx', type: 'file' }]);
  const file = 'orders.xlsx';
  t.strictSame((await rowsOf(folder, { file, range: 'B3:C4' })).rows, [
    { customer: 'Ärger & Söhne', total: 12.5 },
  ]);
  t.strictSame((await rowsOf(folder, { file, range: 'B4:C6', header: false })).rows, [
    { column_1: 'Ärger & Söhne', column_2: 12.5 },
    { column_1: '007', column_2: 3 },
  ]);
  const request = { resource: 'orders.xlsx#Codes', limit: 1, signal };
  const page = await folder.page(request);
  t.strictSame(page.rows, [{ code: 'A', note: 'first' }]);
  const next = await folder.page({ ...request, cursor: page.next_cursor ?? '' });
  t.strictSame([next.rows, next.next_cursor], [[{ code: '17', note: 'second' }], null]);
  const view = excelDriver.methods[0]?.pageOf?.({ file, sheet: 'Codes' });
  t.strictSame(view, { resource: 'orders.xlsx#Codes' });
  const only = await connect(root, { path: file });
  t.strictSame((await only.page({ resource: 'Codes', limit: 5, signal })).rows.length, 2);
  t.strictSame((await only.page({ resource: '#Codes', limit: 5, signal })).rows.length, 2);
  t.strictSame(await only.describe('Codes', signal), [
    { name: 'code', type: 'string', nullable: false },
    { name: 'note', type: 'string', nullable: false },
  ]);
});

t.test('many workbooks are one read, with the name of each', async (t) => {
  const rows = (id: number) => sheetRow(1, ['id']) + sheetRow(2, [id]);
  const root = realpathSync(
    t.testdir({ 'a.xlsx': workbookFile({ rows: rows(1) }), 'b.xlsm': workbookFile({ rows: rows(2) }) }),
  );
  const { rows: read } = await rowsOf(await connect(root, { path: '.' }), {
    files: '*.xls?',
    file_column: 'file',
  });
  t.strictSame(read, [
    { id: 1, file: 'a.xlsx' },
    { id: 2, file: 'b.xlsm' },
  ]);
});

t.test('texts in all their forms', async (t) => {
  const cells =
    '<c r="A2" t="s"><v>0</v></c><c r="B2" t="str"><f>A1</f><v>of a formula</v></c><c r="C2" t="e"><v>#N/A</v></c>' +
    '<c r="D2" t="s"><v>1</v></c><c r="E2" t="inlineStr"><is><r><t>in </t></r><r><t xml:space="preserve">runs </t></r></is></c>' +
    '<c r="F2" t="d"><v>2026-01-31</v></c>';
  const { rows } = await readBytes(
    t,
    workbookFile({
      rows: `${sheetRow(1, ['a', 'b', 'c', 'd', 'e', 'a'])}<row r="2">${cells}</row>`,
      sharedStrings:
        '<si><t>a_x000A_b &lt;&amp; 😀</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>',
    }),
  );
  t.strictSame(rows, [
    { a: 'a\nb <& 😀', b: 'of a formula', c: null, d: '東京', e: 'in runs ', a_2: '2026-01-31' },
  ]);
});

t.test('a cell of another type later on widens its column and loses nothing', async (t) => {
  const numbers = Array.from({ length: 3_000 }, (_, index) => sheetRow(index + 2, [index]));
  const bytes = workbookFile({ rows: [sheetRow(1, ['n']), ...numbers, sheetRow(3_002, ['x1'])].join('') });
  const { rows, columns } = await readBytes(t, bytes);
  t.strictSame(
    [rows.length, rows[0], rows[2_999], rows[3_000]],
    [3_001, { n: 0 }, { n: 2_999 }, { n: 'x1' }],
  );
  t.strictSame(columns, ['n:string']);
});

t.test('days and times by format, also of 1904', async (t) => {
  const formats: [number, string | null, string | null][] = [
    [0, null, null],
    [14, null, 'date'],
    [20, null, 'time'],
    [46, null, null],
    [164, 'General', null],
    [164, '#,##0.00 "d"', null],
    [164, '[$-407]d. mmmm yyyy;@', 'date'],
    [164, '[h]:mm', null],
    [164, 'mm:ss.0', 'time'],
    [164, 'h:mm AM/PM', 'time'],
    [164, '0.00E+00', null],
    [164, '[Red]0;[Blue]0', null],
  ];
  for (const [id, code, expected] of formats) t.equal(timeFormatOf(id, code), expected, `${id} ${code}`);
  const text = (days: number, format: 'date' | 'time', is1904 = false) => {
    const value = cellTime(days, format, is1904);
    return typeof value === 'number' ? value : `${value.type} ${value.text}`;
  };
  t.equal(text(1, 'date'), 'date 1900-01-01');
  t.equal(text(61, 'date'), 'date 1900-03-01');
  t.equal(text(45_688.5, 'date'), 'timestamp 2025-01-31T12:00:00');
  t.equal(text(0.75, 'time'), 'time 18:00:00');
  t.equal(text(45_688, 'time'), 'timestamp 2025-01-31T00:00:00');
  t.equal(text(0, 'date', true), 'date 1904-01-01');
  t.equal(text(-3, 'date'), -3);
  t.equal(text(9e9, 'date'), 9e9);
  const { rows } = await readBytes(
    t,
    workbookFile({
      rows: `${sheetRow(1, ['day'])}<row r="2"><c r="A2" s="1"><v>0</v></c></row>`,
      cellFormats: '<xf numFmtId="0"/><xf numFmtId="14"/>',
      workbookProperties: '<workbookPr date1904="1"/>',
    }),
  );
  t.strictSame(rows, [{ day: '1904-01-01' }]);
});

t.test('an empty sheet has no rows; an abort ends a read; nothing is written', async (t) => {
  t.strictSame((await readBytes(t, workbookFile({ rows: '' }))).rows, []);
  const rows = Array.from({ length: 20_000 }, (_, index) => sheetRow(index + 1, [index]));
  const root = realpathSync(t.testdir({}));
  writeFileSync(join(root, 'a.xlsx'), workbookFile({ rows: rows.join('') }));
  const connection = await connect(root, { path: 'a.xlsx' });
  const abort = new AbortController();
  await t.rejects(async () => {
    const read = connection.read({ method: 'read', args: { header: false }, signal: abort.signal });
    for await (const _ of read) abort.abort();
  });
  t.equal((await rowsOf(connection, { header: false }, { limit: 7, batchRows: 3 })).rows.length, 7);
  const load = {
    object: 'a.xlsx',
    mode: 'replace',
    key: [],
    loadId: 'l',
    allowEmpty: false,
    signal,
  } as const;
  await t.rejects(connection.openWriter(load), { fault: 'CONFIG', message: /are read-only/ });
  await t.rejects(connect(root, { path: 'a.xlsx', range: 'B2', skip_rows: 1 }), {
    message: /Set either "skip_rows" or "range"/,
  });
});

t.test('days and times as strict workbooks write them; blanks are no values', async (t) => {
  const cell = (place: string, type: string, value: string) =>
    `<c r="${place}" t="${type}"><v>${value}</v></c>`;
  const rows =
    sheetRow(1, ['day', 'at', 'time', 'text', 'number', 'shared']) +
    `<row r="2">${cell('A2', 'd', '2026-01-31')}${cell('B2', 'd', '2026-01-31T10:30:00.5')}${cell('C2', 'd', '10:30:00')}` +
    `${cell('D2', 'd', 'soon')}${cell('E2', 'n', ' ')}${cell('F2', 's', ' ')}</row>`;
  const sharedStrings = '<si><t>the first text</t></si>';
  const { columns, rows: read } = await readBytes(t, workbookFile({ rows, sharedStrings }));
  t.strictSame(columns, [
    'day:date',
    'at:timestamp',
    'time:time',
    'text:string',
    'number:unknown',
    'shared:unknown',
  ]);
  t.strictSame(read, [
    {
      day: '2026-01-31',
      at: '2026-01-31T10:30:00.5',
      time: '10:30:00',
      text: 'soon',
      number: null,
      shared: null,
    },
  ]);
});

t.test('numbers have the digits of the file where Excel itself would have fewer', async (t) => {
  const cell = (place: string, text: string, type = 'n') => `<c r="${place}" t="${type}"><v>${text}</v></c>`;
  const values: readonly (readonly [string, unknown])[] = [
    ['12345678901234567', '12345678901234567'],
    ['123456789012345678', '123456789012345678'],
    ['9007199254740993', '9007199254740993'],
    ['-5', -5],
  ];
  const fractions: readonly (readonly [string, unknown])[] = [
    ['1.1000000000000001', '1.1'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['2.5E-3', '0.0025'],
    ['0', '0'],
  ];
  const row = (at: number) =>
    cell(`A${at}`, values[at - 2]?.[0] ?? '') + cell(`B${at}`, fractions[at - 2]?.[0] ?? '');
  const others = [
    cell('C2', 'x', 'str'),
    cell('C3', '12345678901234567'),
    cell('C4', '1', 'b'),
    cell('C5', '#N/A', 'e'),
  ];
  const rows = [2, 3, 4, 5].map((at) => `<row r="${at}">${row(at)}${others[at - 2]}</row>`);
  const read = await readBytes(t, workbookFile({ rows: sheetRow(1, ['id', 'f', 'c']) + rows.join('') }));
  t.strictSame(read.columns, ['id:integer', 'f:decimal', 'c:string']);
  const texts = ['x', '12345678901234567', 'true', null];
  t.strictSame(
    read.rows,
    values.map(([, id], at) => ({ id, f: fractions[at]?.[1], c: texts[at] })),
  );
  const usual = `${sheetRow(1, ['f'])}<row r="2">${cell('A2', '1.1000000000000001')}</row>`;
  t.match(await readBytes(t, workbookFile({ rows: usual })), { rows: [{ f: 1.1 }], columns: ['f:number'] });
});
