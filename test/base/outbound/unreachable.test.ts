import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import t from 'tap';
import { unreachableReason } from '../../../src/base/outbound/unreachable.ts';

const met = async (host: string, port: number) => {
  const socket = connect({ host, port });
  const [error] = await once(socket, 'error');
  return error as Error;
};

t.test('a connection that is not made says why, and no host', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const refused = await met('127.0.0.1', port);
  t.match(unreachableReason(refused), /refused: check the host and the port/);
  t.match(unreachableReason(new Error('no session', { cause: refused })), /refused/);
  t.notMatch(unreachableReason(refused), /127\.0\.0\.1|\d{4}/);
  t.match(unreachableReason(await met('nowhere.invalid', 1)), /cannot be resolved/);
  const attempts = new AggregateError([Object.assign(new Error('x'), { code: 'ENETUNREACH' })]);
  t.match(unreachableReason(attempts), /no route/);
});

t.test('an error without a known code, or in a circle, is a closed connection', async (t) => {
  const circle = new Error('x');
  circle.cause = circle;
  for (const error of [circle, new Error('Connection terminated unexpectedly'), 'text', null])
    t.equal(unreachableReason(error), 'the connection was closed: look at the log of the server');
});
