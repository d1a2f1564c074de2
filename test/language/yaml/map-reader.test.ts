import t from 'tap';
import { suggestName } from '../../../src/base/text/suggest-name.ts';
import { duration, integer, name, oneOf, text } from '../../../src/language/declare/values.ts';
import { type DocumentCheck, parseDocument } from '../../../src/language/yaml/document-check.ts';
import { parseDuration } from '../../../src/language/yaml/duration.ts';
import { type MapReader, readMap } from '../../../src/language/yaml/map-reader.ts';
import { findPath, formatPath } from '../../../src/language/yaml/yaml-path.ts';

function problemsOf(
  text: string,
  read: (reader: MapReader) => void,
  keys: string[],
  instead: Record<string, string> = {},
): unknown[] {
  const parsed = parseDocument(text, (check: DocumentCheck, value) => {
    const reader = readMap(check, value, [], { keys, instead });
    if (reader !== null) read(reader);
  });
  if (parsed.ok) return [];
  return parsed.problems.map(({ path, message, line, column }) => [path, message, line, column]);
}

t.test('all problems are gathered, in the order of the text', async (t) => {
  const yaml = 'count: x\nnmae: a\nkind: tabel\nwait: 5\nlist: {}\nfan: 7\nid: "a b"\nelsewhere: 1';
  const problems = problemsOf(
    yaml,
    (reader) => {
      name('', 'word').read(reader, 'id');
      reader.list('list');
      oneOf('', ['table', 'view']).read(reader, 'kind');
      duration('').read(reader, 'wait');
      integer('').read(reader, 'count');
      integer('', { min: 1, max: 5 }).read(reader, 'fan');
      text('', { required: true }).read(reader, 'name');
    },
    ['count', 'name', 'kind', 'wait', 'list', 'fan', 'id'],
    { elsewhere: 'it is of others; use "list"' },
  );
  t.same(
    problems,
    [
      ['count', '"count" must be a whole number, not a text', 1, 8],
      ['name', '"name" is required', 1, 1],
      ['nmae', 'Unknown key "nmae"; did you mean "name"?', 2, 1],
      ['kind', '"kind" must be one of table, view, not "tabel"; did you mean "table"?', 3, 7],
      ['wait', '"wait" must be a duration such as 30s, 5m, 2h or 1d, not "5"', 4, 7],
      ['list', '"list" must be a list, not a map', 5, 7],
      ['fan', '"fan" must be from 1 to 5, not 7', 6, 6],
      ['id', '"a b" is not a name; use letters, digits and "_", not starting with a digit', 7, 5],
      ['elsewhere', '"elsewhere" has no effect here: it is of others; use "list"', 8, 1],
    ].toSorted((a, b) => Number(a[2]) - Number(b[2]) || Number(a[3]) - Number(b[3])),
  );
});

t.test('keys that cannot act are reported at the key', async (t) => {
  const read = (reader: MapReader) => {
    reader.atMostOne('a', 'b');
    reader.idle('c', 'there is no "d" beside it');
  };
  t.same(problemsOf('a: 1\nb: 2\nc: 3', read, ['a', 'b', 'c']), [
    ['b', '"b" and "a" cannot be combined; keep one', 2, 1],
    ['c', '"c" has no effect: there is no "d" beside it', 3, 1],
  ]);
  t.same(problemsOf('b: 2', read, ['a', 'b', 'c']), []);
});

t.test('problems beyond the limit are counted, not listed', async (t) => {
  const text = Array.from({ length: 250 }, (_, i) => `k${i}: 1`).join('\n');
  const problems = problemsOf(text, () => undefined, []);
  t.equal(problems.length, 201);
  t.same(problems.at(-1), ['', 'There are 50 more problems; fix these first', undefined, undefined]);
});

t.test('names of prototypes are no names', async (t) => {
  const read = (reader: MapReader) => void name('', 'key').read(reader, 'id');
  t.match(problemsOf('id: constructor', read, ['id']), [['id', /not allowed/]]);
});

t.test('durations have a unit', async (t) => {
  const cases = {
    '30s': 30_000,
    '5m': 300_000,
    '2h': 7_200_000,
    '1d': 86_400_000,
    '1.5h': 5_400_000,
    '0s': 0,
    '3650d': 315_360_000_000,
  };
  for (const [text, ms] of Object.entries(cases)) t.equal(parseDuration(text), ms, text);
  for (const text of ['', '5', '5 m', 'm', '-5m', '5ms', '1w', '3651d', '9999999999d', '1e3s', 'PT5M']) {
    t.equal(parseDuration(text), null, text);
  }
});

t.test('a suggestion is near, or there is none', async (t) => {
  t.equal(suggestName('retires', ['retry', 'steps', 'retries']), 'retries');
  t.equal(suggestName('nmae', ['name', 'needs']), 'name');
  t.equal(suggestName('Steps', ['steps']), 'steps');
  t.equal(suggestName('zzz', ['name', 'needs']), null);
  t.equal(suggestName('x'.repeat(10_000), ['x']), null);
});

t.test('paths are written so that they can be read', async (t) => {
  t.equal(formatPath(['steps', 2, 'on_error', 'action']), 'steps[2].on_error.action');
  t.equal(formatPath(['a', 'b c', 0]), 'a["b c"][0]');
  t.equal(formatPath([]), '');
});

t.test('a path is found in a value whose keys hold dots', async (t) => {
  const value = { 'a.b': [{ c: 1 }], a: { b: 2 } };
  t.same(findPath(value, 'a.b[0].c'), ['a.b', 0, 'c']);
  t.same(findPath({ a: { b: [1] } }, 'a.b[0]'), ['a', 'b', 0]);
  t.same(findPath({ a: 1 }, 'x.y'), []);
});
