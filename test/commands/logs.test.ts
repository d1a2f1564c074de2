import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { runCli } from '../support/run-cli.ts';

const line = (seq: number) =>
  `id: 1.${seq}\nevent: log\ndata: ${JSON.stringify({ seq, at: '', level: 'info', step_id: null, message: `n${seq}` })}\n\n`;

t.test('a log that breaks off goes on after its last line', async (t) => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id']);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (asked.length > 1) return void response.end(`${line(3)}event: end\ndata: {"status": "success"}\n\n`);
    response.write(line(1) + line(2));
    setTimeout(() => response.destroy(), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout } = await runCli(['logs', '7', '-f', '--json', '--server', url, '--token', 'x']);
  t.equal(code, 0);
  t.same(asked, [undefined, '1.2']);
  const seqs = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text).seq);
  t.same(seqs, [1, 2, 3]);
});
