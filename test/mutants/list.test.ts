import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import t from 'tap';
import { mutants } from './list.ts';
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
