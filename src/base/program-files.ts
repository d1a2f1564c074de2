import { createRequire, findPackageJSON } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
const root = dirname(findPackageJSON(import.meta.url) ?? here);

/**
 * A file that belongs to the program, by its path in a checkout. The published package has the same layout, but for the code: that
 * of each process and thread is in bundles, so that where a module's text ended up says nothing about what lies beside it.
 */
export function programFile(path: string): string {
  return join(root, path);
}

/** What a process or thread starts with, by its path in a checkout without the extension. */
export function entryFile(path: string): string {
  return programFile(`${path}${extname(here)}`);
}

/** A module with an entry of its own, loaded when it is called for: parts of the program that few processes need. */
export function loadEntry(path: string): unknown {
  return createRequire(import.meta.url)(entryFile(path));
}
