/**
 * A CSV file of 1 M typed rows of ten columns into SQLite, as it is and with five fields that expressions make; limit of both: `sqlite3 .import`
 * of the file as it is, else a bare splitter and insert.
 */
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BareInsert } from './support/bare-insert.ts';
import { measure, secondsOf } from './support/figure.ts';
import { PEOPLE_COLUMNS, writePeopleCsv } from './support/people-csv.ts';
import { secondsOfPeopleRun } from './support/people-run.ts';
import { hasTool, runTool } from './support/run-tool.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const folder = workFolder();
const source = join(folder, 'people.csv');
const target = join(folder, 'people.db');

/** `ops`: of a transform between reading and writing; empty for none. */
const yamlOf = (ops: string) => `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
${ops === '' ? '' : `  - { id: shape, kind: transform, input: read, ops: [${ops}] }`}
  - { id: write, kind: load, input: ${ops === '' ? 'read' : 'shape'}, connector: target, object: people, mode: append }
`;
const FIELDS = [
  'name: "$uppercase(item.name)"',
  'email: "$lowercase(item.email)"',
  `company: "item.company & ' (' & item.country & ')'"`,
  'amount: "item.amount * item.quantity"',
  'active: "item.quantity > 20"',
];
const MAPPING = `{ set: { ${FIELDS.join(', ')} } }`;

async function timed(work: () => Promise<void>): Promise<number> {
  const seconds = await secondsOf(work);
  rmSync(target, { force: true });
  return rows / seconds;
}

const product = async (ops: string) =>
  rows / (await secondsOfPeopleRun({ yaml: yamlOf(ops), rows, folder, source, target }));

const byTool = () =>
  timed(() => runTool('sqlite3', [target, '-cmd', '.mode csv', `.import ${source} people`]));

/** Splits at commas and knows no quotes: less than any reader of CSV has to do. */
const bySplitter = () =>
  timed(async () => {
    const insert = new BareInsert(target, 'people', PEOPLE_COLUMNS);
    let isHeader = true;
    for await (const line of createInterface({ input: createReadStream(source) })) {
      if (!isHeader) insert.add(...line.split(',', PEOPLE_COLUMNS.length));
      isHeader = false;
    }
    insert.commit();
  });

writePeopleCsv(source, rows);
const tool = hasTool('sqlite3');
const common = { unit: 'rows/s', limit: tool ? byTool : bySplitter };
const limitName = tool ? 'sqlite3-import' : 'bare-splitter';
await measure({ ...common, name: `pipeline-csv-sqlite(${limitName})`, product: () => product('') });
await measure({
  ...common,
  name: `pipeline-csv-mapping-sqlite(${limitName})`,
  product: () => product(MAPPING),
});
