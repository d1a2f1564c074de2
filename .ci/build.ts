/**
 * `npm run build [-- FOLDER]`: makes the package, by default in `dist/package`; another folder must be new or empty. With `--no-types`
 * without the declarations for drivers of one's own.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from './build-package.ts';

const own = join(import.meta.dirname, '../dist/package');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-types': { type: 'boolean' } },
});
const target = resolve(positionals[0] ?? own);
if (target === own) rmSync(own, { recursive: true, force: true });
if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} is not empty`);
await buildPackage(target, values['no-types'] !== true);
console.log(`${relative(process.cwd(), target)} is built`);
