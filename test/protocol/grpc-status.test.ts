import { Metadata, status as Status } from '@grpc/grpc-js';
import t from 'tap';
import { AppError, ERROR_CODES } from '../../src/base/errors.ts';
import { fromServiceError, GRPC_STATUS, toServiceError } from '../../src/protocol/grpc-status.ts';

t.test('every error code has a status, and comes back as itself', async (t) => {
  t.same(Object.keys(GRPC_STATUS), [...ERROR_CODES]);
  for (const code of ERROR_CODES) {
    const sent = new AppError(code, `About "${code}"`, {
      retryAfterSeconds: 1.5,
      details: [{ path: 'a[0].b', message: 'wrong' }],
    });
    const received = fromServiceError(toServiceError(sent));
    t.equal(received.code, code);
    t.equal(received.message, sent.message);
    t.equal(received.retryAfterSeconds, 1.5);
    t.same(received.details, [{ path: 'a[0].b', message: 'wrong' }]);
  }
});

t.test('RESOURCE_EXHAUSTED always says when to come back', async (t) => {
  const error = fromServiceError(toServiceError(new AppError('RATE_LIMITED', 'slow down')));
  t.equal(error.retryAfterSeconds, 1);
});

t.test('an endless message and lone surrogates are cut to what trailers hold', async (t) => {
  const { details, metadata } = toServiceError(
    new AppError('INTERNAL_ERROR', `${'\ud800'}${'x'.repeat(100_000)}`, {
      details: Array.from({ length: 1_000 }, () => ({ path: 'p'.repeat(1_000), message: 'm'.repeat(1_000) })),
    }),
  );
  t.ok(details.isWellFormed());
  t.ok(details.length <= 2_000);
  t.ok((metadata.get('grpc-status-details-bin')[0] ?? []).length < 12_000);
});

t.test('a status of the transport becomes a code without naming hosts', async (t) => {
  const bare = (code: Status, details: string) =>
    fromServiceError({ code, details, metadata: new Metadata() });
  t.equal(bare(Status.UNAVAILABLE, 'connect ECONNREFUSED 10.0.0.1:50051').code, 'NOT_READY');
  t.notMatch(bare(Status.UNAVAILABLE, 'connect ECONNREFUSED 10.0.0.1:50051').message, /10\.0/);
  t.equal(bare(Status.DEADLINE_EXCEEDED, '').code, 'NOT_READY');
  t.equal(
    bare(Status.RESOURCE_EXHAUSTED, 'Received message larger than max (9 vs. 4)').code,
    'PAYLOAD_TOO_LARGE',
  );
  t.equal(bare(Status.RESOURCE_EXHAUSTED, 'Bandwidth exhausted').code, 'RATE_LIMITED');
  t.equal(bare(Status.DATA_LOSS, '').code, 'INTERNAL_ERROR');
});

t.test('details that are not ours, or garbage, are passed over', async (t) => {
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from([0xff, 0xff, 0xff]));
  t.equal(fromServiceError({ code: Status.NOT_FOUND, details: 'x', metadata }).code, 'INTERNAL_ERROR');
});
