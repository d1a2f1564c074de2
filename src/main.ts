#!/usr/bin/env node
import { keepCompiledCode } from './base/compile-cache.ts';
import { EXIT } from './commands/kit/exit-code.ts';

keepCompiledCode();
const [{ CommanderError }, { createProgram }] = await Promise.all([
  import('commander'),
  import('./commands/program.ts'),
]);

// Whoever reads the output may stop early (`headgate logs 1 | head`).
process.stdout.on('error', (error: { readonly code?: string }) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has told it already.
  process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
