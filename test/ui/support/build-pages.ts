import { buildUi } from '../../../src/ui/build.ts';

/** Builds the pages unless they are up to date. A build sets `NODE_ENV` for the rest of its process, where other tests follow. */
export async function buildPages(): Promise<void> {
  const before = process.env['NODE_ENV'];
  await buildUi();
  if (before === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = before;
}
