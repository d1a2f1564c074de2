import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { createClient } from '../../src/client/create-client.ts';
import { findProgram } from '../support/find-program.ts';
import { MAIN } from '../support/program.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { runCli } from '../support/run-cli.ts';
import { serveHere } from '../support/serve-here.ts';

const served = await serveHere(t);
const api = createClient({ server: served.url, token: served.apiKey });
const cwd = served.folder;
const yamlOf = (message: string) =>
  `name: hello\nsteps:\n  - { id: say, kind: log, message: "${message}" }\n`;
const { id } = await api.POST('/api/tasks', { body: { yaml_content: yamlOf('one') } });
const task = () => api.GET('/api/tasks/{id}', { params: { path: { id } } });

/** The bundle that sets the message. */
function bundleOf(message: string): string {
  const yaml = yamlOf(message).replace(/^/gm, '      ').trimEnd();
  return `headgate_bundle: 1\ntasks:\n  - name: hello\n    yaml: |\n${yaml}\n`;
}

/** A server before the server, that changes the task in the moment in which a plan is to be applied. */
async function changingProxy(): Promise<string> {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === '/api/import')
      await api.PUT('/api/tasks/{id}', {
        params: { path: { id }, header: { 'If-Match': `"${(await task()).version}"` } },
        body: { yaml_content: yamlOf('of somebody else') },
      });
    const answer = await fetch(`${served.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization: String(request.headers.authorization),
        'content-type': String(request.headers['content-type']),
      },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** `headgate apply` in a terminal, whose person answers what it asks; `script` makes the terminal. */
async function applyInTerminal(file: string, answer: string) {
  const command = `'${process.execPath}' '${MAIN}' apply '${file}'`;
  const child = spawn(script ?? '', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...programEnvironment(), TERM: 'xterm', SVC_SERVER: served.url, SVC_TOKEN: served.apiKey },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const before = text.includes('[y/N]');
    text += chunk;
    if (!before && text.includes('[y/N]')) child.stdin.write(`${answer}\r`);
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

t.test('a plan that has changed meanwhile is not applied, and the new one is shown', async (t) => {
  const env = { SVC_SERVER: await changingProxy(), SVC_TOKEN: served.apiKey };
  const { code, stdout, stderr } = await runCli(['apply', '-', '--yes'], { env, input: bundleOf('two') });
  t.equal(code, 1);
  t.match(stdout, /^update +task "hello" +version 1: yaml_content\n/);
  t.match(stdout, /\nThe current plan:\n\nupdate +task "hello" +version 2: yaml_content\n/);
  t.match(stdout, /\n- .*message: "of somebody else" \}\n\+ .*message: "two" \}\n/);
  t.match(stderr, /nothing was applied/);
  t.match(await task(), { version: 2, yaml_content: /of somebody else/ });
});

const script = process.platform === 'linux' ? findProgram(undefined, ['script']) : null;

t.test(
  'in a terminal it shows the plan in colours, asks, and does as it is told',
  {
    skip: script !== null ? false : 'needs the program "script" of util-linux',
  },
  async (t) => {
    writeFileSync(join(cwd, 'three.yaml'), bundleOf('three'));
    const refused = await applyInTerminal('three.yaml', 'n');
    t.equal(refused.code, 1, refused.text);
    t.ok(refused.text.includes('\u001b[33mupdate   task "hello"'), refused.text);
    t.ok(refused.text.includes('\u001b[32m+  - { id: say, kind: log, message: "three" }'));
    t.match(refused.text, /Nothing was applied\./);
    t.match(await task(), { version: 2 });
    const taken = await applyInTerminal('three.yaml', 'y');
    t.equal(taken.code, 0, taken.text);
    t.match(taken.text, /0 created, 1 updated/);
    t.match(await task(), { version: 3, yaml_content: /three/ });
  },
);
