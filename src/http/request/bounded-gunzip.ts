import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';

/** The decompressed body. `receivedEncodedLength` counts the bytes on the wire, to compare with `Content-Length`. */
export class BoundedBody extends Transform {
  receivedEncodedLength = 0;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    super();
    this.#bytesMax = bytesMax;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#bytesMax) {
      done(null, chunk);
      return;
    }
    const message = `The decompressed body is larger than ${this.#bytesMax} bytes: send less at a time`;
    done(new AppError('PAYLOAD_TOO_LARGE', message));
  }
}

/**
 * Decompresses gzip and stops at `bytesMax`: nothing is decompressed beyond it, however small the bomb. `PAYLOAD_TOO_LARGE`
 * then, `VALIDATION_ERROR` for invalid gzip. `body` itself is left open, so that its sender can still be answered.
 */
export function boundedGunzip(body: Readable, bytesMax: number): BoundedBody {
  const gunzip = createGunzip();
  const bounded = new BoundedBody(bytesMax);
  // A route without a body reads none: without a listener, the failure would end the process. Readers have their own listener.
  bounded.on('error', () => undefined);
  const count = (chunk: Buffer) => {
    bounded.receivedEncodedLength += chunk.length;
  };
  const broken = (cause: unknown) =>
    bounded.destroy(
      new AppError('VALIDATION_ERROR', 'The body is not gzip, although its header says so', { cause }),
    );
  const left = () => {
    if (!body.readableEnded) broken(null);
  };
  body.on('data', count).once('close', left);
  gunzip.on('error', broken);
  bounded.once('close', () => {
    body.off('data', count).off('close', left).unpipe(gunzip);
    gunzip.destroy();
  });
  body.pipe(gunzip).pipe(bounded);
  return bounded;
}

/**
 * Accepts gzip bodies on every route, decompressed up to the route's body limit. `UNSUPPORTED_MEDIA_TYPE` for other encodings.
 * Not left to `@fastify/compress`, which continues decompressing after a body was refused.
 */
export function installGunzip(app: FastifyInstance, bodyLimitDefault: number): void {
  app.addHook('preParsing', (request, _reply, body, done) => {
    const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
    const bytesMax = request.routeOptions.bodyLimit ?? bodyLimitDefault;
    if (encoding === 'identity') done(null, body);
    else if (encoding === 'gzip') done(null, boundedGunzip(body as Readable, bytesMax));
    else {
      const message = `The encoding "${encoding.slice(0, 40)}" is not supported: send "gzip" or none`;
      done(new AppError('UNSUPPORTED_MEDIA_TYPE', message));
    }
  });
}
