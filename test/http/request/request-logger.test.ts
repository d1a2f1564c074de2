import { pino } from 'pino';
import t from 'tap';
import { requestLogger } from '../../../src/http/request/request-logger.ts';

t.test('what is said of a request carries its id, at every level, and its children too', async (t) => {
  const lines: Record<string, unknown>[] = [];
  const parent = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const log = requestLogger(parent, { reqId: 'r-1' });
  t.equal(log.level, 'trace');
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const)
    log[level]({ detail: level }, `a ${level}`);
  log.child({ part: 'x' }).info('from a child');
  t.same(
    lines.map(({ level, reqId, detail, part, msg }) => [level, reqId, detail ?? part, msg]),
    [
      [60, 'r-1', 'fatal', 'a fatal'],
      [50, 'r-1', 'error', 'a error'],
      [40, 'r-1', 'warn', 'a warn'],
      [30, 'r-1', 'info', 'a info'],
      [20, 'r-1', 'debug', 'a debug'],
      [10, 'r-1', 'trace', 'a trace'],
      [30, 'r-1', 'x', 'from a child'],
    ],
  );
});

t.test('a request that says nothing costs no child', async (t) => {
  let children = 0;
  const parent = { level: 'info', child: () => ++children } as unknown as Parameters<typeof requestLogger>[0];
  requestLogger(parent, { reqId: 'r-2' });
  t.equal(children, 0);
});
