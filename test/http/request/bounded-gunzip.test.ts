import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { AppError } from '../../../src/base/errors.ts';
import { boundedGunzip } from '../../../src/http/request/bounded-gunzip.ts';
import { startFullApp } from '../../support/full-app.ts';

const MAX = 1024 * 1024;

async function failureOf(body: Readable): Promise<AppError> {
  const bounded = boundedGunzip(body, MAX);
  bounded.resume();
  const [error] = (await once(bounded, 'error')) as [AppError];
  return error;
}

t.test('what was compressed comes out, up to the limit to the byte', async (t) => {
  for (const size of [0, 1, 100_000, MAX]) {
    const packed = gzipSync(Buffer.alloc(size, 'x'));
    const bounded = boundedGunzip(Readable.from([packed.subarray(0, 7), packed.subarray(7)]), MAX);
    const chunks = await bounded.toArray();
    t.equal(Buffer.concat(chunks as Buffer[]).length, size);
    t.equal(bounded.receivedEncodedLength, packed.length);
  }
  const packed = gzipSync(Buffer.alloc(MAX + 1, 'x'));
  t.equal((await failureOf(Readable.from([packed]))).code, 'PAYLOAD_TOO_LARGE');
});

t.test(
  'nothing is read or decompressed beyond the limit, and the sender can still be answered',
  async (t) => {
    const member = gzipSync(Buffer.alloc(MAX, ' '));
    let read = 0;
    const endless = new Readable({
      highWaterMark: 1,
      read() {
        read += 1;
        this.push(member);
      },
    });
    t.equal((await failureOf(endless)).code, 'PAYLOAD_TOO_LARGE');
    const before = read;
    await delay(50);
    t.equal(read, before, 'it has stopped');
    t.ok(read < 200, `${read} parts, most of them waiting undecompressed`);
    t.notOk(endless.destroyed);
    endless.destroy();
  },
);

t.test('a request without a body that claims gzip ends no process, whoever sends it', async (t) => {
  const full = await startFullApp(t);
  const headers = { 'content-encoding': 'gzip' };
  for (const method of ['GET', 'DELETE', 'POST'] as const) {
    const answer = await fetch(`${full.plane.httpAddress}/api/health`, { method, headers });
    t.equal(answer.status, method === 'GET' ? 200 : 405, method);
    await full.visitor().send(method, '/api/public/dashboards/x', undefined, headers);
  }
  boundedGunzip(Readable.from([]), MAX);
  await delay(50);
  t.equal((await fetch(`${full.plane.httpAddress}/api/health`)).status, 200);
});

t.test('what is no gzip, ends too early or is given up is not a body', async (t) => {
  const packed = gzipSync(Buffer.alloc(1_000, 'x'));
  const broken = Buffer.from(packed);
  broken[12] = (broken[12] ?? 0) ^ 0xff;
  for (const bytes of [Buffer.from('no gzip'), packed.subarray(0, 15), broken]) {
    t.equal((await failureOf(Readable.from([bytes]))).code, 'VALIDATION_ERROR');
  }
  const leaving = new Readable({ read: () => undefined });
  leaving.push(packed.subarray(0, 15));
  setTimeout(() => leaving.destroy(), 20);
  t.equal((await failureOf(leaving)).code, 'VALIDATION_ERROR');
});
