import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PYTHON, scripted } from './script-scene.ts';

const rows = [{ n: 1 }];
const NONE = { read: [], write: [], network: [] };
const noPython = PYTHON === null && 'no Python: set SVC_SCRIPT_PYTHON';

/** A server that says the path it was asked for. */
async function server(t: Test): Promise<number> {
  const http = createServer(({ url }, answer) => answer.end(`at ${url}`));
  await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve));
  t.teardown(() => http.close());
  return (http.address() as AddressInfo).port;
}

function folders(t: Test) {
  const folder = t.testdir({ open: { 'list.txt': 'a list' }, out: {}, closed: { 'key.txt': 'a key' } });
  return { folder, open: join(folder, 'open'), out: join(folder, 'out'), closed: join(folder, 'closed') };
}

const attempts = (list: readonly string[]) =>
  `const tries = {}; ${list
    .map(
      (one, at) =>
        `try { tries[${at}] = ${one}; } catch (error) { tries[${at}] = error.code ?? error.message; }`,
    )
    .join('\n')} return tries;`;

t.test('JavaScript reads and writes in the folders that the settings open, and nowhere else', async (t) => {
  const { folder, open, out, closed } = folders(t);
  const code = `import * as fs from 'node:fs';
    export default () => { ${attempts([
      `fs.readFileSync('${open}/list.txt', 'utf8')`,
      `fs.writeFileSync('${out}/made.txt', 'made') ?? 'written'`,
      `fs.readFileSync('${closed}/key.txt', 'utf8')`,
      `fs.readFileSync('${open}/../closed/key.txt', 'utf8')`,
      `fs.writeFileSync('${open}/list.txt', '')`,
      `fs.readFileSync('${out}/made.txt', 'utf8')`,
      `fs.symlinkSync('${closed}', '${out}/way')`,
    ])} }`;
  const grants = { ...NONE, read: [open], write: [out] };
  const { failure, written } = await scripted({ rows, code, access: { grants } });
  t.equal(failure, null);
  const no = 'ERR_ACCESS_DENIED';
  t.same(Object.values(written[0] ?? {}), ['a list', 'written', no, no, no, no, no]);
  t.equal(readFileSync(join(out, 'made.txt'), 'utf8'), 'made');
  const closedToAll = await scripted({ rows, code, access: { grants: NONE } });
  t.match(closedToAll.failure, { message: /"node:fs" cannot be imported/ });
  const own = { forbiddenFiles: [join(open, 'list.txt')] };
  for (const given of [{ read: [open] }, { write: [folder] }, { read: [`${open}/`] }])
    t.match(await scripted({ rows, code, access: { grants: { ...NONE, ...given } }, context: own }), {
      failure: { code: 'SCRIPT_REFUSED', message: /contains files of the server/ },
    });
});

t.test('JavaScript connects to the hosts that the settings name, by those names', async (t) => {
  const port = await server(t);
  const code = `import http from 'node:http';
    const get = (options) => new Promise((resolve) => http.get(options, (answer) => {
      let text = ''; answer.on('data', (one) => { text += one; }).on('end', () => resolve(text));
    }).on('error', (error) => resolve(error.message)));
    const ask = (url) => fetch(url).then((answer) => answer.text(), (error) => error.cause?.message ?? error.message);
    export default async () => ({
      fetched: await ask('http://localhost:${port}/a'),
      got: await get('http://localhost:${port}/b'),
      address: await ask('http://127.0.0.1:${port}/c'),
      other: await ask('http://localhost:${port + 1}/d'),
      lookup: await get({ host: 'localhost', port: ${port}, path: '/e', lookup: (_, __, done) => done(new Error('mine')) }),
      socket: await get({ socketPath: '/run/docker.sock', path: '/' }),
      tls: await ask('https://127.0.0.1:${port}/f'),
    })`;
  const grants = { ...NONE, network: [`localhost:${port}`] };
  const { failure, written } = await scripted({ rows, code, access: { grants } });
  t.equal(failure, null);
  const no = /The script may not connect to .*SVC_SCRIPT_NETWORK/;
  const yes = { fetched: 'at /a', got: 'at /b', lookup: 'at /e' };
  t.match(written[0], { ...yes, address: no, other: no, socket: no, tls: no });
  const closed = await scripted({ rows, code: 'export default () => ({ it: typeof fetch })' });
  t.same(closed.written, [{ it: 'undefined' }]);
});

t.test('Python has the same folders and hosts', { skip: noPython }, async (t) => {
  const { open, out, closed } = folders(t);
  mkdirSync(join(open, 'links'));
  symlinkSync(join(closed, 'key.txt'), join(open, 'links', 'key.txt'));
  writeFileSync(join(out, 'old.txt'), '');
  const port = await server(t);
  const code = `
import os, socket, urllib.request
def attempt(call):
    try:
        return str(call())
    except Exception as error:
        return f"{type(error).__name__}: {error}"
def get(host, port, path):
    return urllib.request.urlopen(f"http://{host}:{port}{path}", timeout=5).read().decode()
def connect():
    with socket.socket() as one:
        one.connect(("127.0.0.1", ${port + 1}))
def transform(item):
    return {
        "read": attempt(lambda: open("${open}/list.txt").read()),
        "written": attempt(lambda: open("${out}/made.txt", "w").write("made")),
        "removed": attempt(lambda: os.remove("${out}/old.txt")),
        "fetched": attempt(lambda: get("localhost", ${port}, "/a")),
        "closed": attempt(lambda: open("${closed}/key.txt").read()),
        "linked": attempt(lambda: open("${open}/links/key.txt").read()),
        "overwritten": attempt(lambda: open("${open}/list.txt", "w")),
        "taken": attempt(lambda: os.remove("${open}/list.txt")),
        "moved": attempt(lambda: os.rename("${open}/list.txt", "${out}/list.txt")),
        "address": attempt(lambda: get("127.0.0.1", ${port}, "/b")),
        "other": attempt(lambda: get("localhost", ${port + 1}, "/c")),
        "raw": attempt(connect),
        "bound": attempt(lambda: socket.socket().bind(("127.0.0.1", 0))),
    }`;
  const grants = { read: [open], write: [out], network: [`localhost:${port}`] };
  const { failure, written } = await scripted({
    rows,
    code,
    keys: { language: 'python' },
    access: { grants },
  });
  t.equal(failure, null);
  const { read, written: made, removed, fetched, ...refused } = written[0] ?? {};
  t.same([read, made, removed, fetched], ['a list', '4', 'None', 'at /a']);
  for (const [what, message] of Object.entries(refused))
    t.match(message, /is not open to a script|is not allowed in a script|may not connect to/, what);
});
