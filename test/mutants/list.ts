import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Mutant } from './mutant.ts';

/** All mutants: one YAML file for each room. */
export const mutants: readonly Mutant[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Mutant[]);
