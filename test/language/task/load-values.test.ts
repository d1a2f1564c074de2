import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';

function load(keys: string) {
  const parsed = parseTask(`version: 1
name: t
connectors: { db: {type: postgres} }
steps:
  - { id: r, kind: extract, connector: db, method: list, args: {table: s} }
  - { id: w, kind: load, input: r, connector: db, object: t, ${keys} }
`);
  return parsed.ok
    ? { step: parsed.task.steps[1], problems: [] }
    : { step: undefined, problems: parsed.problems.map(({ path, message }) => `${path}: ${message}`) };
}

t.test('"absent" is null where it says so, YAML’s own null included, and with scd2', async (t) => {
  const isNull = (keys: string) => (load(keys).step as { absentIsNull?: boolean }).absentIsNull;
  t.equal(isNull('mode: append'), false);
  t.equal(isNull('mode: append, absent: keep'), false);
  t.equal(isNull('mode: append, absent: null'), true);
  t.equal(isNull('mode: append, absent: "null"'), true);
  t.equal(isNull('mode: scd2, key: [id]'), true);
  t.match(load('mode: append, absent: drop').problems, [/absent: /]);
  t.match(load('mode: scd2, key: [id], absent: keep').problems, [/"keep" has no effect: "mode" is scd2/]);
  t.match(load('mode: delete, key: [id], absent: null').problems, [
    /"absent" has no effect: "mode" is delete/,
  ]);
});

t.test('"lossy" names columns that are no key, and how they lose', async (t) => {
  const { step } = load('mode: merge, key: [id], lossy: { price: round, note: truncate }');
  t.strictSame(
    [...((step as { lossy?: ReadonlyMap<string, string> }).lossy ?? [])],
    [
      ['price', 'round'],
      ['note', 'truncate'],
    ],
  );
  t.match(load('lossy: { price: floor }').problems, [
    /lossy\.price: "price" must be round or truncate, not "floor"/,
  ]);
  t.match(load('lossy: round').problems, [/"lossy" must be a map, not a text/]);
  t.match(load('mode: merge, key: [id], lossy: { id: round }').problems, [
    /lossy\.id: "id" is part of the "key"/,
  ]);
  t.match(load('mode: delete, key: [id], lossy: { a: round }').problems, [
    /"lossy" has no effect: "mode" is delete/,
  ]);
});
