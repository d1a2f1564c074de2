#!/usr/bin/env node
/**
 * The program's entry, in JavaScript; `main.ts` is a link to it. Node strips an entry's types before anything can keep compiled
 * code, and loads a compiler for it that takes longer (40 ms) than `headgate --help` as a whole. Everything imported from here on
 * is kept, compiled, in the user's own cache folder, or where NODE_COMPILE_CACHE says; without a folder that can be written
 * nothing is kept. Source: https://nodejs.org/api/module.html#module-compile-cache.
 */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// An older Node would fail somewhere in the code, with a syntax error or a missing function.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 10)) {
  console.error(`Headgate needs Node 24.10 or later; "${process.execPath}" is ${process.versions.node}`);
  process.exit(78);
}
try {
  module.enableCompileCache(join(homedir(), '.cache', 'headgate'));
} catch {
  // A user without a home.
}
await import('./base/process/quick-imports.ts');
const { runProgram } = await import('./commands/program.ts');
await runProgram();
