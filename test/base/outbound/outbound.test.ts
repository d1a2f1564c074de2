import type { LookupAddress } from 'node:dns';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { parseAllowList } from '../../../src/base/outbound/allow-list.ts';
import { createOutbound, type Outbound } from '../../../src/base/outbound/outbound.ts';
import type { OutboundLimits } from '../../../src/base/outbound/outbound-limits.ts';
import type { OutboundPolicy } from '../../../src/base/outbound/outbound-policy.ts';
import { startReceiver } from '../../support/http-receiver.ts';

interface Given {
  readonly policy?: OutboundPolicy;
  readonly allow?: readonly string[];
  readonly names?: Readonly<Record<string, () => readonly LookupAddress[]>>;
  readonly limits?: Partial<OutboundLimits>;
}

function outboundOf(
  t: Test,
  { policy = 'block-metadata', allow = [], names = {}, limits = {} }: Given,
): Outbound {
  const parsed = parseAllowList(allow);
  if (!parsed.ok) throw new Error(parsed.entry);
  const outbound = createOutbound({
    rules: { policy, allow: parsed.list, ownPorts: [] },
    limits,
    resolve: (host, done) => {
      const found = names[host]?.();
      if (found === undefined) done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
      else done(null, found);
    },
  });
  t.teardown(() => outbound.close());
  return outbound;
}

const v4 = (address: string) => ({ address, family: 4 });

t.test('what the list has is reached, by address and by name', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (response) => void response.end('hello');
  const loopback = outboundOf(t, {
    allow: [`127.0.0.1:${receiver.port}`],
    names: { 'own.test': () => [{ address: '::1', family: 6 }, v4('127.0.0.1')] },
  });
  const answer = await loopback.fetch(receiver.url, { method: 'POST', body: 'x' });
  t.equal(await answer.text(), 'hello');
  const byName = await loopback.fetch(`http://own.test:${receiver.port}/`);
  t.equal(await byName.text(), 'hello', 'of two addresses the one that is allowed');
  t.equal(receiver.received.length, 2);
});

t.test(
  'a name that leads to this machine is refused when it is connected to, not when it is saved',
  async (t) => {
    const receiver = await startReceiver(t);
    const outbound = outboundOf(t, { names: { 'evil.test': () => [v4('127.0.0.1')] } });
    t.doesNotThrow(() => outbound.checkUrl(`http://evil.test:${receiver.port}/`));
    await t.rejects(outbound.fetch(`http://evil.test:${receiver.port}/`), {
      code: 'OUTBOUND_REFUSED',
      message: /"evil\.test"/,
    });
    await t.rejects(outbound.fetch(receiver.url), { code: 'OUTBOUND_REFUSED' });
    t.equal(receiver.received.length, 0);
  },
);

t.test('a name that changes its address between look-ups gains nothing', async (t) => {
  const receiver = await startReceiver(t);
  const other = await startReceiver(t);
  let asked = 0;
  const outbound = outboundOf(t, {
    allow: ['127.0.0.2'],
    names: { 'rebind.test': () => [v4(asked++ === 0 ? '127.0.0.2' : '127.0.0.1')] },
  });
  // The first look-up is of an address that may be reached, where nobody listens; the next one is of this machine.
  await t.rejects(outbound.fetch(`http://rebind.test:${receiver.port}/`), { code: 'OUTBOUND_FAILED' });
  await t.rejects(outbound.fetch(`http://rebind.test:${receiver.port}/`), { code: 'OUTBOUND_REFUSED' });
  t.equal(asked, 2, 'each connection asks once, and goes where that answer says');
  t.equal(receiver.received.length + other.received.length, 0);
});

t.test('redirects are answered, not followed; who follows them is judged at each hop', async (t) => {
  const target = await startReceiver(t);
  const receiver = await startReceiver(t);
  const outbound = outboundOf(t, {
    allow: [`127.0.0.1:${receiver.port}`],
    names: { 'inner.test': () => [v4('127.0.0.1')] },
  });
  for (const location of [
    target.url,
    `http://inner.test:${target.port}/`,
    'http://169.254.169.254/',
    'file:///etc/passwd',
  ]) {
    receiver.answer = (response) => void response.writeHead(302, { location }).end();
    const answer = await outbound.fetch(receiver.url);
    t.equal(answer.status, 302);
    await t.rejects(
      outbound.fetch(receiver.url, { redirect: 'follow' }),
      { name: 'OutboundError' },
      location,
    );
  }
  t.equal(target.received.length, 0);
});

t.test('an answer past the limit ends, also where it is small on the wire', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(4_000_000)));
  const outbound = outboundOf(t, { allow: ['127.0.0.1'], limits: { responseBytesMax: 100_000 } });
  const answer = await outbound.fetch(receiver.url);
  await t.rejects(answer.arrayBuffer(), { code: 'OUTBOUND_TOO_LARGE' });
});

t.test('a compressed answer is read whole, in as many parts as it was compressed', async (t) => {
  const receiver = await startReceiver(t);
  const outbound = outboundOf(t, { allow: ['127.0.0.1'], limits: { responseBytesMax: 100_000 } });
  const answering = (encoding: string, body: Buffer) => {
    receiver.answer = (response) => void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    return outbound.request(receiver.url, { method: 'GET', headers: {} });
  };
  const parts = [Buffer.from('one, '), Buffer.alloc(60_000, 'x')];
  const whole = Buffer.concat(parts);
  const bodies: [string, Buffer][] = [
    ['gzip', Buffer.concat(parts.map((part) => gzipSync(part)))],
    ['br', brotliCompressSync(whole)],
    ['zstd', Buffer.concat(parts.map((part) => zstdCompressSync(part)))],
    ['gzip, zstd', zstdCompressSync(gzipSync(whole))],
  ];
  for (const [encoding, body] of bodies) t.ok(whole.equals((await answering(encoding, body)).body), encoding);

  const frame = zstdCompressSync(parts[1] ?? '');
  await t.rejects(answering('zstd', Buffer.concat([frame, frame])), { code: 'OUTBOUND_TOO_LARGE' });
  for (const broken of [frame.subarray(0, -3), Buffer.concat([frame, Buffer.from('junk')])])
    await t.rejects(answering('zstd', broken), { code: 'OUTBOUND_FAILED', message: /not valid zstd/ });
});

t.test('who does not answer in time is left, and so is who cannot be found', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = () => undefined;
  const outbound = outboundOf(t, { allow: ['127.0.0.1'], limits: { headersMs: 100 } });
  await t.rejects(outbound.fetch(receiver.url), { code: 'OUTBOUND_TIMEOUT' });
  await t.rejects(outbound.fetch('http://nowhere.test/'), {
    code: 'OUTBOUND_FAILED',
    message: /"nowhere\.test" cannot be reached: the host name cannot be resolved: check its spelling/,
  });
  const own = AbortSignal.abort(new Error('mine'));
  await t.rejects(outbound.fetch(receiver.url, { signal: own }), { message: 'mine' });
});

t.test('who is closed calls nobody any more, whether or not it ever did', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (response) => void response.end('hello');
  for (const calls of [0, 1]) {
    const outbound = outboundOf(t, { allow: ['127.0.0.1'] });
    if (calls > 0) await (await outbound.fetch(receiver.url)).text();
    await outbound.close();
    await t.rejects(outbound.fetch(receiver.url), { code: 'OUTBOUND_FAILED' });
  }
  t.equal(receiver.received.length, 1);
});
