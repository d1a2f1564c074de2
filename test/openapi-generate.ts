/**
 * `node test/openapi-generate.ts`: writes `openapi.json`, the client's types and `test/operations.md` anew, after an operation was
 * added or changed on purpose. With `HEADGATE_TEST_ROUTES` it adds what tests have recorded there.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from './openapi-document.ts';
import { openapiTypesText } from './openapi-types.ts';
import { addRecorded, operationsTable, testedByOf } from './operations-table.ts';
import type { OpenapiDocument } from './support/openapi-check.ts';

const root = join(import.meta.dirname, '..');
const tablePath = join(import.meta.dirname, 'operations.md');

const { text, routes } = await describeApi();
const testedBy = testedByOf(existsSync(tablePath) ? readFileSync(tablePath, 'utf8') : '');
const recorded = process.env['HEADGATE_TEST_ROUTES'];
if (recorded !== undefined) addRecorded(testedBy, readFileSync(recorded, 'utf8'));
for (const files of testedBy.values())
  for (const file of files) if (!existsSync(join(import.meta.dirname, file))) files.delete(file);

const files = {
  'openapi.json': text,
  'src/client/openapi-types.ts': await openapiTypesText(text),
  'test/operations.md': operationsTable(JSON.parse(text) as OpenapiDocument, routes, testedBy),
};
for (const [name, content] of Object.entries(files)) {
  writeFileSync(join(root, name), content);
  console.log(`wrote ${name}`);
}
