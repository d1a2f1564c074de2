// Long list: it fills in forms of the page in a browser; quick: test/ui/app/config-values.test.ts, test/modules/connectors/connector-routes.test.ts.
import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { sheetRow, workbookFile } from '../../../drivers/excel/workbook-file.ts';
import { serve } from '../../../support/served.ts';
import { appTests } from '../../support/app-tests.ts';
import { drawnTypes, type FormCase, formTypes, walkForm } from '../../support/connector-form.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(180_000);
const PARQUET = realpathSync(
  join(import.meta.dirname, '../../../../node_modules/vega-datasets/data/flights-3m.parquet'),
);
const CATALOG =
  '<catalog><book id="1"><title>Nord GmbH</title></book><book id="2"><title>Süd AG</title></book></catalog>';

/** A folder or a file for each type, with what its form takes. */
const cases: Record<
  (typeof formTypes.files)[number],
  Pick<FormCase, 'title' | 'fields' | 'mistake' | 'shown'>
> = {
  csv: {
    title: 'CSV files',
    fields: { path: 'sales/orders.csv', delimiter: ';', decimal: ',', null_values: 'NULL\n' },
    mistake: ['path', 'sales/order.csv', /"order\.csv" does not exist/],
    shown: { resource: 'orders.csv', cell: '1234.5' },
  },
  json: {
    title: 'JSON files',
    fields: { path: 'sales', records: 'data.items' },
    mistake: ['path', 'sale', /"sale"/],
    shown: { resource: 'orders.json', cell: 'Nord GmbH' },
  },
  parquet: {
    title: 'Parquet files',
    fields: { path: 'flights.parquet' },
    mistake: ['path', '/etc/flights.parquet', /allowed/],
    shown: { resource: 'flights.parquet', cell: 'LAS' },
  },
  excel: {
    title: 'Excel workbooks',
    fields: { path: 'sales/orders.xlsx', sheet: 'Orders', range: 'A2' },
    mistake: ['range', 'A2:', /range of cells like "B3:F200"/],
    shown: { resource: 'Orders', cell: 'Nord GmbH' },
  },
  xml: {
    title: 'XML files',
    fields: { path: 'books.xml', records: 'catalog/book', namespaces: '{"m": "http://example.com/model"}' },
    mistake: ['namespaces', '{m: http://example.com/model}', /This is not JSON/],
    shown: { resource: 'books.xml', cell: 'Nord GmbH' },
  },
};

function writeFiles(folder: string): void {
  mkdirSync(join(folder, 'sales'));
  const put = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
  put('sales/orders.csv', 'id;customer;amount\n1;Nord GmbH;1234,5\n2;NULL;7\n');
  put('sales/orders.json', '{"data": {"items": [{"id": 1, "customer": "Nord GmbH"}]}}');
  put('books.xml', CATALOG);
  const rows = [
    ['Orders of 2026', ''],
    ['id', 'customer'],
    [1, 'Nord GmbH'],
  ].map((values, index) => sheetRow(index + 1, values));
  put('sales/orders.xlsx', workbookFile({ sheets: ['Notes', 'Orders'], rows: rows.join('') }));
  copyFileSync(PARQUET, join(folder, 'flights.parquet'));
}

await appTests(async (open) => {
  const served = await serve(t);
  writeFiles(served.folder);
  const walk = { open, served, profile: await servedProfile(served) };
  for (const type of drawnTypes(t, formTypes.files))
    t.test(type, (t) => walkForm(t, walk, { ...cases[type], secrets: [] }));
});
