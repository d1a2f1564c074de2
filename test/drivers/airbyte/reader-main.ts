/** Reads a source that hangs until it is killed; prints its processes and the folder of its configuration. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { connectScripted, signal } from './scripted.ts';

const connection = await connectScripted('hang');
const read = { method: 'read', args: { stream: 'people' }, signal, batchRows: 1 };
for await (const { rows } of connection.read(read)) {
  const { id, big } = rows[0] ?? {};
  const args = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
  const file = args[args.indexOf('--config') + 1] ?? '';
  console.log(JSON.stringify({ pids: [id, big], folder: dirname(file) }));
}
