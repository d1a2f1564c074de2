// Long list: it tries every combination of many; quick: test/language/schemas/published-schemas.test.ts.
import t from 'tap';
import { isRecord } from '../../../src/base/json.ts';
import { publishedSchema, SCHEMA_NAMES } from '../../../src/language/published-schemas.ts';
import { formatPath } from '../../../src/language/yaml/yaml-path.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { agreementOf, at, contentOf, newPlaces, pathsOf, replaced, takesPath } from './schema-agreement.ts';
import { WHOLE_DOCUMENTS } from './whole-documents.ts';

/** Longer lists make a document too long as a whole. */
const ITEMS_MAX = 200;

/** Every value that a schema gives to one of these keywords. */
function boundsIn(schema: unknown, keywords: readonly string[]): readonly number[] {
  const found = new Set<number>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isRecord(node)) return;
    for (const keyword of keywords) {
      const bound = node[keyword];
      if (typeof bound === 'number') found.add(bound);
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return [...found];
}

for (const name of SCHEMA_NAMES) {
  t.test(`${name}: numbers, texts and lists are bounded alike`, async (t) => {
    const { disagreement } = agreementOf(name);
    const schema = publishedSchema(name);
    // Beyond 2^53 the reader of YAML refuses an integer, whatever it is for.
    const numbers = boundsIn(schema, ['minimum', 'maximum'])
      .flatMap((bound) => [bound - 1, bound, bound + 1])
      .filter((number) => Math.abs(number) <= Number.MAX_SAFE_INTEGER);
    const lengths = boundsIn(schema, ['maxLength']).flatMap((bound) => [bound, bound + 1]);
    const sizes = boundsIn(schema, ['maxItems'])
      .filter((bound) => bound <= ITEMS_MAX)
      .flatMap((bound) => [bound, bound + 1]);
    const found: string[] = [];
    const seen = new Set<string>();
    let tried = 0;
    const takes = takesPath(t);
    const isNew = newPlaces();
    for (const document of WHOLE_DOCUMENTS[name].map(contentOf)) {
      for (const path of pathsOf(document)) {
        if (!isNew(document, path)) continue;
        const value = at(document, path);
        // Texts and lists of one name are bounded alike wherever they stand.
        const place = path.filter((key) => typeof key === 'string').join('.');
        if (typeof value !== 'number' && seen.has(place)) continue;
        seen.add(place);
        if (!takes(path)) continue;
        const others: unknown[] = [];
        if (typeof value === 'number') others.push(...numbers);
        if (typeof value === 'string') others.push(...lengths.map((length) => 'x'.repeat(length)));
        if (Array.isArray(value) && value.length > 0)
          others.push(...sizes.map((size) => new Array<unknown>(size).fill(value[0])));
        for (const other of others) {
          tried += 1;
          const told = disagreement(replaced(document, path, other));
          const what = typeof other === 'number' ? other : `of ${(other as string).length}`;
          if (told !== null) found.push(`${formatPath(path)} ${what}: ${told}`);
        }
      }
    }
    t.same(found.slice(0, 20), [], `${found.length} of ${tried} disagree`);
    t.ok(tried > fewOrAll(30, 150), `${tried} tried`);
  });
}
