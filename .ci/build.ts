/** `npm run build`: makes `dist/package`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from './build-package.ts';

const target = join(import.meta.dirname, '../dist/package');
rmSync(target, { recursive: true, force: true });
await buildPackage(target);
console.log('dist/package is built');
