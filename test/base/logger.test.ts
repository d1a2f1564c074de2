import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { findProgram } from '../support/find-program.ts';

const LOGGER = fileURLToPath(new URL('../../src/base/logger.ts', import.meta.url));
const SAY = `
  const { createLogger } = await import(process.argv[1]);
  const logger = createLogger('info', 'headgate', process.argv[2]);
  logger.error({ err: Object.assign(new Error('no room'), { code: 'ENOSPC' }), body: { code: '123456' } }, 'it failed');
  logger.info({ run_id: 7, password: 'x', user: { password: 'hidden' } }, 'a \\u001b[2Jmessage\\nof two lines');
`;
const args = (format: string) => ['--input-type=module', '-e', SAY, LOGGER, format];

/** What a process of its own logs, piped. */
function logged(format: string): string {
  return spawnSync(process.execPath, args(format), { encoding: 'utf8' }).stderr;
}

t.test('piped, a log is JSON, with the codes of errors and without those of a sign-in', async (t) => {
  const [failed, told] = logged('auto')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(failed, { level: 50, msg: 'it failed', err: { code: 'ENOSPC', message: 'no room' } });
  t.equal(failed.body.code, '********');
  t.match(told, { level: 30, run_id: 7, user: { password: '********' } });
});

t.test('as text it is for people: one line each, the error with code and stack', async (t) => {
  const text = logged('text');
  t.match(text, /^\d\d:\d\d:\d\d ERROR headgate it failed/m);
  t.match(text, /^ {2}no room \(ENOSPC\)\n +at /m);
  t.match(text, /INFO {2}headgate a .*message.of two lines run_id=7/);
  t.notOk(text.includes('\u001b'), 'nothing that moves the cursor');
  t.notMatch(text, /123456|hidden/, 'no secret');
});

const terminal = findProgram(undefined, ['script']);
const skip = terminal === null && 'no script(1) that gives a terminal';

t.test('on a terminal it is text', { skip }, async (t) => {
  const quoted = [process.execPath, ...args('auto')].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const text = execFileSync(terminal ?? '', ['-qec', quoted.join(' '), '/dev/null'], { encoding: 'utf8' });
  t.match(text, /ERROR.*headgate it failed/);
  t.notMatch(text, /"level":50/);
});
