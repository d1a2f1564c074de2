// Long list: it tries every combination of many; quick: test/language/schemas/published-schemas.test.ts.
import t from 'tap';
import { isRecord } from '../../../src/base/json.ts';
import { SCHEMA_NAMES } from '../../../src/language/published-schemas.ts';
import { formatPath } from '../../../src/language/yaml/yaml-path.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import {
  agreementOf,
  at,
  contentOf,
  isJsonSchema,
  newPlaces,
  pathsOf,
  removed,
  replaced,
  takesPath,
} from './schema-agreement.ts';
import { WHOLE_DOCUMENTS } from './whole-documents.ts';

/** What stands in place of each value, one after another. */
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  '',
  'zzz',
  'a b',
  '{{ 1 }}',
  [],
  ['zzz'],
  {},
  { zzz: 1 },
];

for (const name of SCHEMA_NAMES) {
  t.test(`${name}: schema and parser refuse the same values, in every place`, async (t) => {
    const { disagreement } = agreementOf(name);
    const found: string[] = [];
    const takes = takesPath(t);
    const isNew = newPlaces();
    let tried = 0;
    const compare = (what: string, value: unknown) => {
      tried += 1;
      const told = disagreement(value);
      if (told !== null) found.push(`${what}: ${told}`);
    };
    for (const document of WHOLE_DOCUMENTS[name].map(contentOf)) {
      for (const path of pathsOf(document).filter((each) => isNew(document, each) && takes(each))) {
        const where = formatPath(path);
        if (path.length > 0) compare(`without ${where}`, removed(document, path));
        for (const value of VALUES)
          compare(`${where} = ${JSON.stringify(value)}`, replaced(document, path, value));
        const inner = at(document, path);
        if (isRecord(inner) && !isJsonSchema(path))
          compare(`${where} with a key zzz`, replaced(document, path, { ...inner, zzz: 'zzz' }));
        if (Array.isArray(inner))
          compare(`${where} with an item more`, replaced(document, path, [...inner, inner[0]]));
      }
    }
    t.same(found.slice(0, 20), [], `${found.length} of ${tried} disagree`);
    t.ok(tried > fewOrAll(100, 1_000));
  });
}
