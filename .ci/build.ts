/** `npm run build [-- FOLDER]`: makes the package, by default in `dist/package`; another folder must be new or empty. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { buildPackage } from './build-package.ts';

const own = join(import.meta.dirname, '../dist/package');
const target = resolve(process.argv[2] ?? own);
if (target === own) rmSync(own, { recursive: true, force: true });
if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} is not empty`);
await buildPackage(target);
console.log(`${relative(process.cwd(), target)} is built`);
