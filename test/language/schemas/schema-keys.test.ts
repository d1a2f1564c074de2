// Long list: it tries every combination of many; quick: test/language/schemas/published-schemas.test.ts.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isRecord } from '../../../src/base/json.ts';
import { SCHEMA_NAMES } from '../../../src/language/published-schemas.ts';
import { isUnsafeKey } from '../../../src/language/yaml/unsafe-key.ts';
import { formatPath } from '../../../src/language/yaml/yaml-path.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import {
  agreementOf,
  at,
  contentOf,
  isJsonSchema,
  newPlaces,
  pathsOf,
  replaced,
  takesPath,
  UNREAD_PARAMETER,
} from './schema-agreement.ts';
import { WHOLE_DOCUMENTS } from './whole-documents.ts';

const LANGUAGE = join(import.meta.dirname, '..', '..', '..', 'src', 'language');
const WORDS_AT_ONCE = 150;

/** Of a widget that has no data: with a value they have no effect, and without one the parser passes over them. */
const EMPTY_BINDING = /^(connector|method|args|transform_expr|shared_query|source)$/;

/** Even without a value these change how a dashboard is read, so each is tried alone. */
const ALONE = ['dashboard', 'pages', 'widgets'];

/** All words of the readers' sources: the keys that they know are among them, also those of tomorrow. */
const WORDS = [
  ...new Set(
    globSync('**/*.ts', { cwd: LANGUAGE, exclude: ['declare/**', 'expression/**', 'cron/**'] }).flatMap(
      (path) =>
        [...readFileSync(join(LANGUAGE, path), 'utf8').matchAll(/(?:'([a-z]\w*)'|\b([a-z]\w*):)/g)].map(
          ([, quoted, key]) => quoted ?? key ?? '',
        ),
    ),
  ),
].filter((word) => !isUnsafeKey(word) && !ALONE.includes(word));

const CHUNKS = [
  ...ALONE.map((word) => [word]),
  ...Array.from({ length: Math.ceil(WORDS.length / WORDS_AT_ONCE) }, (_, index) =>
    WORDS.slice(index * WORDS_AT_ONCE, (index + 1) * WORDS_AT_ONCE),
  ),
];

for (const name of SCHEMA_NAMES) {
  t.test(`${name}: a map takes the same keys in the schema and in the reader`, async (t) => {
    const { validate, problemsOf } = agreementOf(name);
    const found: string[] = [];
    const takes = takesPath(t);
    const isNew = newPlaces();
    let taken = 0;
    for (const document of WHOLE_DOCUMENTS[name].map(contentOf)) {
      for (const path of pathsOf(document).filter(takes)) {
        const map = at(document, path);
        if (!isRecord(map) || isJsonSchema(path) || !isNew(document, [...path, ''])) continue;
        for (const chunk of CHUNKS) {
          const words = chunk.filter((word) => !Object.hasOwn(map, word));
          // Without a value: then the key alone is judged, and not what it says beside the others.
          const added = Object.fromEntries(words.map((word) => [word, null]));
          const told = problemsOf(JSON.stringify(replaced(document, path, { ...map, ...added })));
          const problems = told.filter(({ message }) => !UNREAD_PARAMETER.test(message));
          const refused = new Set(problems.map((problem) => problem.path));
          const whole = chunk.length === 1 ? problems.length > 0 : refused.has(formatPath(path));
          for (const word of words) {
            const byReader = whole || refused.has(formatPath([...path, word]));
            const bySchema = !validate(replaced(document, path, { ...map, [word]: null }));
            if (!byReader) taken += 1;
            if (byReader !== bySchema && !(EMPTY_BINDING.test(word) && bySchema))
              found.push(`${formatPath(path)} ${word}: ${bySchema ? 'the schema' : 'the reader'} refuses`);
          }
        }
      }
    }
    t.same(found.slice(0, 20), [], `${found.length} disagree`);
    t.ok(taken > fewOrAll(0, 50));
  });
}
