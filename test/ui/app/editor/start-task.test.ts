import t from 'tap';
import { parseTask } from '../../../../src/language/task/parse-task.ts';
import { likelyKey } from '../../../../src/ui/screens/tasks/load/likely-key.ts';
import { loadLine, namesIn, withLoad } from '../../../../src/ui/screens/tasks/load/load-line.ts';
import { sourceTask, startTask } from '../../../../src/ui/screens/tasks/start-task.ts';
import { allDrivers } from '../../../support/all-drivers.ts';

type Types = Parameters<typeof startTask>[0];
const types = allDrivers.catalogue() as unknown as Types;
const used = (...names: string[]) => names.map((type, at) => ({ id: at + 1, type }));

t.test('a new task does not double its rows at the next run', async (t) => {
  const loads = (target: string, key: string | null) => {
    const text = startTask(types, used('csv', target), key);
    t.match(parseTask(text), { ok: true }, text);
    return loadLine(text);
  };
  t.match(loads('postgres', 'Bestell-Nr'), { mode: 'merge', keys: ['Bestell-Nr'], connector: 'target' });
  t.match(loads('mysql', 'no'), { mode: 'merge', keys: ['no'] }, 'a word of YAML stays a name');
  t.match(loads('mongodb', 'a, "b"'), { mode: 'merge' });
  for (const target of ['postgres', 'mysql', 'mongodb', 'sqlite'])
    t.match(loads(target, null), { mode: 'replace', keys: [] }, target);
  t.match(loads('parquet', 'id'), { mode: 'replace', keys: [] }, 'a file has no keys');
  t.match(startTask(types, [], null), /from|type: csv[\s\S]*mode: replace/);
});

t.test('the key of a source is the column that tells its first rows apart', async (t) => {
  const sample = (names: string[], ...rows: unknown[][]) => ({
    columns: names.map((name) => ({ name })),
    rows: rows.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]]))),
  });
  t.equal(likelyKey(sample(['customer', 'Bestell-Nr'], ['a', 1], ['b', 2])), 'Bestell-Nr');
  t.equal(likelyKey(sample(['paid', 'orderId'], [1, 7], [2, 8])), 'orderId', '"paid" is no key');
  t.equal(likelyKey(sample(['customer_id', 'id'], [1, 1], [1, 2])), 'id', 'a key does not repeat');
  t.equal(likelyKey(sample(['id', 'town'], [1, 'x'], [null, 'y'])), null, 'nor is it missing');
  t.equal(likelyKey(sample(['airport', 'town'], ['LAX', 'a'], ['SFO', 'a'])), 'airport');
  t.equal(likelyKey(sample(['airport'], ['LAX'])), null, 'of one row everything is different');
  t.equal(likelyKey(sample([])), null);
});

t.test('a source is looked at where it need not be told what to read', async (t) => {
  const file = sourceTask(types, used('sqlite', 'csv').slice(1));
  t.equal(file?.id, 2);
  t.match(parseTask(file?.task ?? ''), { ok: true });
  t.equal(sourceTask(types, used('postgres')), null, 'it has many tables');
  t.equal(sourceTask(types, []), null);
});

t.test('a choice changes the load of the text alone', async (t) => {
  const text = startTask(types, used('csv', 'postgres'), 'id');
  const replaced = withLoad(text, { mode: 'replace', keys: [] });
  t.match(replaced, 'object: rows, mode: replace }\n');
  t.match(parseTask(replaced), { ok: true });
  const merged = withLoad(replaced, { mode: 'merge', keys: ['shop', 'Preis in $&', 'a: b'] });
  t.match(merged, 'mode: merge, key: [shop, "Preis in $&", "a: b"] }\n');
  t.match(parseTask(merged), { ok: true });
  t.same(loadLine(merged)?.keys, ['shop', 'Preis in $&', 'a: b']);
  t.equal(withLoad(merged, { mode: 'merge', keys: ['id'] }), text, 'and back');
  const single =
    '  - { id: w, kind: load, input: r, connector: t, object: o, key: id, mode: upsert, batch: 5 }\n';
  t.same(loadLine(single), { mode: 'upsert', keys: ['id'], connector: 't' });
  t.equal(
    withLoad(single, { mode: 'append', keys: [] }),
    '  - { id: w, kind: load, input: r, connector: t, object: o, batch: 5, mode: append }\n',
  );
  const several = `${text}  - { id: more, kind: load, input: read, connector: target, object: more }\n`;
  t.equal(loadLine(several), null, 'of several loads its writer decides');
  t.equal(loadLine(`${text}  - id: more\n    kind: load\n`), null);
  t.equal(loadLine('steps: []\n'), null);
  t.equal(withLoad(several, { mode: 'append', keys: [] }), several);
  t.same(namesIn(' id, "order, no" ,, \'x\''), ['id', 'order, no', 'x']);
});
