import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseAllDocuments } from 'yaml';
import { isRecord } from '../../../src/base/json.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';
import { codeBlocks, markdownFiles, root } from '../../docs/markdown-files.ts';

const LEAST_SHARE = 0.85;
/** Keys that take an expression bare, or a map of fields with one each. */
const BARE = /^(?:when|filter|set|map|\w+_expr)$/;

/** Every expression of a document, wherever it stands. */
function expressionsOf(value: unknown, isBare = false): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => expressionsOf(item));
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, inner]) =>
      expressionsOf(
        inner,
        isBare || (BARE.test(key) && (isRecord(inner) ? key === 'set' || key === 'map' : true)),
      ),
    );
  if (typeof value !== 'string') return [];
  return isBare ? [value] : [...value.matchAll(/\{\{(.*?)\}\}/gs)].map(([, source = '']) => source.trim());
}

t.test('most expressions of the examples and of the documentation are compiled', async (t) => {
  const files = globSync('examples/**/*.yaml', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const blocks = markdownFiles
    .filter((file) => file.startsWith('docs/'))
    .flatMap(codeBlocks)
    .filter(({ info }) => info.startsWith('yaml '))
    .map(({ text }) => text);
  const sources = [...files, ...blocks].flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => expressionsOf(document.toJS())),
  );
  const parsed = sources.map((source) => ({ source, parsed: parseExpression(source) }));
  const known = parsed.flatMap(({ source, parsed: { ok, ...rest } }) =>
    ok && 'expression' in rest ? [{ source, compiled: rest.expression.evaluateSync !== null }] : [],
  );
  t.ok(known.length > 150, `${known.length} expressions`);
  t.equal(known.length, sources.length, 'each of them parses');
  const interpreted = known.filter(({ compiled }) => !compiled).map(({ source }) => source);
  const share = 1 - interpreted.length / known.length;
  t.ok(share >= LEAST_SHARE, `${share}: ${interpreted.join('\n')}`);
});
