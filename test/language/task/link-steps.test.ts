import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';

const HEAD = 'name: x\nconnectors: {db: {type: sqlite}}\nsteps:\n';
const extract = (id: string) => `{id: ${id}, kind: extract, connector: db, method: q}`;
const load = (id: string, more: string) => `{id: ${id}, kind: load, connector: db, object: t, ${more}}`;
const log = (id: string, more = '') => `{id: ${id}, kind: log, message: m${more}}`;

function needsOf(...steps: string[]): Record<string, readonly string[]> {
  const parsed = parseTask(`${HEAD}${steps.map((step) => `  - ${step}\n`).join('')}`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return Object.fromEntries(parsed.task.steps.map(({ id, needs }) => [id, needs]));
}

t.test('a step needs the one that feeds it, whatever else it says it needs', async (t) => {
  t.same(needsOf(log('z'), extract('a'), load('l', 'input: a, needs: [z]'))['l'], ['z', 'a']);
  t.same(needsOf(log('z'), extract('a'), load('l', 'input: a, needs: []'))['l'], ['a']);
  t.same(needsOf(log('z'), extract('a'), load('l', 'input: a, needs: [a, z]'))['l'], ['a', 'z'], 'and once');
  const shaped = '{id: s, kind: transform, input: a, ops: [{drop: [x]}], needs: [z]}';
  t.same(needsOf(log('z'), extract('a'), shaped, load('l', 'input: s, needs: [z]')), {
    z: [],
    a: ['z'],
    s: ['z', 'a'],
    l: ['z', 's'],
  });
});

t.test('a step that says nothing needs the one that feeds it alone, or the one before', async (t) => {
  t.same(needsOf(extract('a'), log('n'), load('l', 'input: a'), log('e')), {
    a: [],
    n: ['a'],
    l: ['a'],
    e: ['l'],
  });
  t.same(needsOf(log('a'), log('b', ', needs: []'))['b'], [], 'or none where it says so');
});
