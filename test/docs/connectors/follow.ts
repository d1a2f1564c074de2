import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { rowsOf } from '../../engine/support/task-run.ts';
import { type Following, followPage, runShell } from './follow-page.ts';

/** Follows a section in an empty folder; each of its commands succeeds and prints what the page shows. */
export async function follow(
  t: Test,
  page: string,
  { heading = 'A complete example', ...options }: Partial<Following> & { readonly heading?: string } = {},
) {
  const { folder = realpathSync(t.testdir()) } = options;
  const done = await followPage(page, heading, { ...options, folder });
  t.not(done.length, 0, 'the section has commands');
  for (const { shell, code, stdout, stderr, shown } of done) {
    t.equal(code, 0, `${shell}\n${stdout}${stderr}`);
    if (shown !== null) t.equal(stdout.slice(-shown.length), shown, shell);
  }
  const stderr = done.map((commands) => commands.stderr).join('');
  return {
    folder,
    stderr,
    rows: (file: string, sql: string) => rowsOf(join(folder, file), sql),
    /** Runs the last commands again; gives the rows that the loads of a task say they have written. */
    again: async () => {
      const { shell, code, stdout, stderr } = await runShell(done.at(-1)?.shell ?? '', folder);
      t.equal(code, 0, `${shell}\n${stdout}${stderr}`);
      return Number(/^write +load +success +\d+ +(\d+) /m.exec(stdout)?.[1]);
    },
  };
}
