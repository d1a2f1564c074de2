import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import longFiles from '../runner/long-files.json' with { type: 'json' };
import type { Mutant } from './mutant.ts';

/** All mutants: one YAML file for each room. */
export const mutants: readonly Mutant[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .flatMap((name) => parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Mutant[]);

/** A choice that the same seed makes again. */
export interface Sample {
  readonly mutants: readonly Mutant[];
  /** How many were to choose from, and how many were not for this reason. */
  readonly eligible: number;
  readonly argued: number;
  readonly long: number;
}

/** Some of these mutants at random, of those that some test must kill and all of whose tests are quick. */
export function sampleOf(all: readonly Mutant[], count: number, seed: number): Sample {
  const mortal = all.filter(({ argued }) => argued === undefined);
  const eligible = mortal.filter(
    ({ tests, faults }) => faults !== true && !tests.some((test) => Object.hasOwn(longFiles, test)),
  );
  const length = Math.min(count, eligible.length);
  const [chosen = []] = fc.sample(fc.shuffledSubarray(eligible, { minLength: length, maxLength: length }), {
    numRuns: 1,
    seed,
  });
  return {
    mutants: chosen,
    eligible: eligible.length,
    argued: all.length - mortal.length,
    long: mortal.length - eligible.length,
  };
}
