import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { findProgram } from '../../support/find-program.ts';
import { startFullApp } from '../../support/full-app.ts';

const MEBIBYTE = 1_048_576;
const BODY_BYTES = 24 * MEBIBYTE;
const python = findProgram(process.env['PYTHON_PATH'], ['python3']);
const run = promisify(execFile);

/** Sends a large body with urllib, and prints the status and the error's code. */
const URLLIB = `
import json, sys, urllib.error, urllib.request
request = urllib.request.Request(sys.argv[1], data=b'x' * int(sys.argv[2]), headers={'content-type': 'application/json'})
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    print(error.code, json.load(error)['error'])
`;

const REFUSALS = [
  ['/api/auth/login', '413 PAYLOAD_TOO_LARGE'],
  ['/api/tasks', '401 AUTH_ERROR'],
  ['/api/nowhere', '404 NOT_FOUND'],
] as const;

t.test('fetch, which sends everything before it reads, is told why it is refused', async (t) => {
  const { plane } = await startFullApp(t);
  for (const [path, expected] of REFUSALS) {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(BODY_BYTES),
    };
    const answer = await fetch(`${plane.httpAddress}${path}`, init);
    const { error } = (await answer.json()) as { error: string };
    t.equal(`${answer.status} ${error}`, expected);
  }
});

const skip = python === null && 'no python3 on the PATH';

t.test('so is urllib of Python', { skip }, async (t) => {
  const { plane } = await startFullApp(t);
  for (const [path, expected] of REFUSALS) {
    const args = ['-c', URLLIB, `${plane.httpAddress}${path}`, String(BODY_BYTES)];
    const { stdout } = await run(python ?? '', args);
    t.equal(stdout.trim(), expected);
  }
});

t.test('a body without end is not waited for without end', async (t) => {
  const { plane } = await startFullApp(t);
  const { port } = new URL(plane.httpAddress);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  t.teardown(() => socket.destroy());
  const head = 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json';
  socket.write(`${head}\r\nContent-Length: 10000000000\r\n\r\n`);
  const chunk = Buffer.alloc(MEBIBYTE, 'x');
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && socket.writableLength < 4 * MEBIBYTE && sent < 200) {
      socket.write(chunk);
      sent += 1;
    }
  };
  socket.on('drain', send);
  send();
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  t.ok(sent < 100, `closed after ${sent} MiB`);
});
