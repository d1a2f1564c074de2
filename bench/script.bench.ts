/** A JavaScript function over 1 M rows of ten columns, on top of the same pipeline without it; limit: 4 µs a row. */
import { join } from 'node:path';
import { measure } from './support/figure.ts';
import { writePeopleCsv } from './support/people-csv.ts';
import { secondsOfPeopleRun } from './support/people-run.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const limitUs = 4;
const folder = workFolder();
const source = join(folder, 'people.csv');
const target = join(folder, 'people.db');

const yamlOf = (script: boolean) => `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  ${script ? '- { id: change, kind: script, input: read, code: "export default (item) => ({ ...item, country: item.country.toLowerCase() })" }' : ''}
  - { id: write, kind: load, input: ${script ? 'change' : 'read'}, connector: target, object: people, mode: append }
`;

function secondsWith(script: boolean): Promise<number> {
  return secondsOfPeopleRun({ yaml: yamlOf(script), rows, folder, source, target });
}

const product = async () => {
  const without = await secondsWith(false);
  return Math.max(0.01, (((await secondsWith(true)) - without) * 1_000_000) / rows);
};

writePeopleCsv(source, rows);
await measure({ name: 'script', unit: 'us/row', product, limit: async () => limitUs });
