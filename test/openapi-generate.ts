/** `node test/openapi-generate.ts`: writes `openapi.json` anew, after an operation was added or changed on purpose. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiText } from './openapi-document.ts';

const path = join(import.meta.dirname, '..', 'openapi.json');
writeFileSync(path, await openapiText());
console.log(`wrote ${path}`);
