/** `node test/docs/generate.ts`: writes the pages of `docs/reference/` anew, after a change to the code that they are made from. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFERENCE_PAGES } from './reference/pages.ts';

const folder = join(import.meta.dirname, '../../docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, page] of Object.entries(REFERENCE_PAGES)) {
  writeFileSync(join(folder, name), page());
  console.log(`wrote docs/reference/${name}`);
}
