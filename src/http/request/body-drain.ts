import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The largest body that any setting allows. */
const DRAINED_BYTES_MAX = 64 * 1_048_576;
const DRAIN_MS_MAX = 10_000;

/**
 * A refusal that closes the connection waits until the rest of the body has arrived, and throws it away, as long as that is bounded:
 * many clients (Python's urllib, Node's fetch) send all of it before they read, and a connection closed meanwhile is all that they
 * would see. On connections that stay open Node does the same.
 */
export function installBodyDrain(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const closes = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive;
    if (reply.statusCode < 400 || request.raw.complete !== false || !closes) return done(null, payload);
    drain(request.raw, () => done(null, payload));
  });
}

function drain(body: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const timer = setTimeout(finish, DRAIN_MS_MAX);
  function count(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > DRAINED_BYTES_MAX) finish();
  }
  function finish(): void {
    clearTimeout(timer);
    body.off('data', count).off('end', finish).off('close', finish).pause();
    done();
  }
  body.unpipe();
  body.on('data', count).once('end', finish).once('close', finish).resume();
}
