import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import t from 'tap';
import longFiles from '../runner/long-files.json' with { type: 'json' };
import { mutants, sampleOf } from './list.ts';
import { mutate } from './mutant.ts';

t.test('every mutant can be made, and names tests that exist', async (t) => {
  for (const mutant of mutants) {
    t.doesNotThrow(
      () => stripTypeScriptTypes(mutate(readFileSync(mutant.file, 'utf8'), mutant)),
      mutant.harm,
    );
    for (const test of mutant.tests) t.ok(existsSync(test), test);
  }
});

t.test('a sample can be made again, and is of mutants that quick tests must kill', async (t) => {
  const sample = sampleOf(mutants, 15, 7);
  t.equal(new Set(sample.mutants).size, 15);
  t.same(sampleOf(mutants, 15, 7), sample);
  t.notSame(sampleOf(mutants, 15, 8).mutants, sample.mutants);
  t.equal(sample.eligible + sample.argued + sample.long, mutants.length);
  const all = sampleOf(mutants, mutants.length, 1).mutants;
  t.equal(all.length, sample.eligible);
  for (const { argued, tests, harm } of all) {
    t.equal(argued, undefined, harm);
    for (const test of tests) t.notOk(Object.hasOwn(longFiles, test), test);
  }
});
