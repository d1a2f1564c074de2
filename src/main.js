#!/usr/bin/env node
/**
 * The program's entry, in JavaScript; `main.ts` is a link to it. Node strips an entry's types before anything can keep compiled
 * code, and loads a compiler for it that takes longer (40 ms) than `headgate --help` as a whole. Everything imported from here on
 * is kept, compiled, in the user's own cache folder, or where NODE_COMPILE_CACHE says; without a folder that can be written
 * nothing is kept. Source: https://nodejs.org/api/module.html#module-compile-cache.
 */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

try {
  enableCompileCache(join(homedir(), '.cache', 'headgate'));
} catch {
  // A user without a home.
}
const { runProgram } = await import('./commands/program.ts');
await runProgram();
