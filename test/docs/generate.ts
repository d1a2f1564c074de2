/**
 * `node test/docs/generate.ts`: writes the pages of `docs/reference/` and `docs/language/` anew, after a change to the code that they
 * are made from, or to the examples of the language.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_PAGES } from './language/pages.ts';
import { REFERENCE_PAGES } from './reference/pages.ts';

for (const [room, pages] of Object.entries({ reference: REFERENCE_PAGES, language: LANGUAGE_PAGES })) {
  const folder = join(import.meta.dirname, '../../docs', room);
  mkdirSync(folder, { recursive: true });
  for (const [name, page] of Object.entries(pages)) {
    writeFileSync(join(folder, name), page());
    console.log(`wrote docs/${room}/${name}`);
  }
}
