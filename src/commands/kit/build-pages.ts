import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Logger } from '../../base/logger.ts';
import { programFile } from '../../base/program-files.ts';

const LINES_TOLD = 5;

const BUILDER = programFile('src/ui/build.ts');

/**
 * Builds the web pages of a checkout, unless they are up to date: in a process of its own, since the bundler would otherwise stay in
 * the memory of this one. The published package comes with its pages, and has no builder. Throws an error with the end of what the
 * builder said.
 */
export async function buildPages(): Promise<'built' | 'fresh'> {
  if (!existsSync(BUILDER)) return 'fresh';
  const child = spawn(process.execPath, [BUILDER], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const code = await new Promise((done) => {
    child.once('error', () => done(null));
    child.once('close', done);
  });
  if (code !== 0) throw new Error(said.trim().split('\n').slice(-LINES_TOLD).join('\n  '));
  return said.includes('built') ? 'built' : 'fresh';
}

/** Of a fresh checkout, whose server would otherwise have no page. */
export async function buildMissingPages(logger: Logger): Promise<void> {
  if (existsSync(programFile('dist/ui/.built'))) return;
  try {
    await buildPages();
  } catch (error) {
    logger.warn({ err: error }, 'building the web pages failed');
  }
}
