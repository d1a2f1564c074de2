import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import jsonata from 'jsonata';
import t from 'tap';
import { FUNCTION_ARITY } from '../../../src/language/expression/function-arity.ts';

/** Bound anew for each evaluation. */
const OF_EVALUATION = ['now', 'millis'];

/** The least and the most arguments of a signature such as `<s-nn?:s>`. */
function arityOf(definition: string): readonly [number, number] {
  const [parameters = ''] = definition
    .slice(1, -1)
    .replaceAll(/<[^<>]*>/g, '')
    .split(':');
  const found = [...parameters.matchAll(/(?:\([^)]*\)|[a-z])([-?+]?)/g)];
  const required = found.filter(([, mark]) => mark === '' || mark === '+');
  const many = found.some(([, mark]) => mark === '+');
  return [required.length, many ? Number.POSITIVE_INFINITY : found.length];
}

t.test('the functions are those that expressions have, with their numbers of arguments', async (t) => {
  const source = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  const bound = [...source.matchAll(/staticFrame\.bind\('(\w+)'/g)].map(([, name = '']) => name);
  const names = [...bound.filter((name) => name !== 'eval'), ...OF_EVALUATION].sort();
  t.same([...FUNCTION_ARITY.keys()], names);
  for (const name of names) {
    const found = (await jsonata(`$${name}`).evaluate({})) as { signature: { definition: string } };
    t.same(FUNCTION_ARITY.get(name), arityOf(found.signature.definition), name);
  }
});
