import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for a benchmark's files; gone when the process ends. */
export function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
