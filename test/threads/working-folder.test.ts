import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

t.test('calls go on when the folder that the server was started in is removed', async (t) => {
  const script = join(import.meta.dirname, 'fixtures/call-without-folder-main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  t.equal(stdout, 'here\n');
});
