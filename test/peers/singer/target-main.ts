/**
 * A target of the Singer specification for tests, which appends all messages to the file `path` of its configuration, and misbehaves as
 * `mode` says.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
const config = JSON.parse(readFileSync(args[args.indexOf('--config') + 1] ?? '', 'utf8'));
const { mode, path, token } = config;

if (mode === 'refused') {
  console.error(`CRITICAL bad token ${token}`);
  process.exit(1);
}
if (mode === 'deaf') setInterval(() => undefined, 1_000);
else {
  let state: string | null = null;
  let rows = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    appendFileSync(path, `${line}\n`);
    if (message.type === 'RECORD') rows += 1;
    if (message.type === 'RECORD' && mode === 'early') process.exit(0);
    if (message.type === 'RECORD' && mode === 'crash' && rows === 2) {
      console.error(`INFO two rows\nValueError: it broke with ${token}`);
      process.exit(3);
    }
    if (message.type !== 'STATE') continue;
    state = JSON.stringify(message.value);
    if (mode !== 'last-lost' || rows <= 2) console.log(state);
  }
  console.error(`WARNING stored ${rows} rows with ${token}`);
  console.log('this line is no state');
  if (mode === 'relative') writeFileSync('people.jsonl', '{}\n');
  if (mode === 'slow-end') setInterval(() => undefined, 1_000);
}
