import { mock } from 'node:test';
import t from 'tap';
import { FailureLog } from '../../src/metering/failure-log.ts';
import { createTestClock } from '../support/clock.ts';
import { keptLogger } from '../support/kept-logger.ts';

t.test('failures are said once a minute with their number, also those that nothing follows', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const clock = createTestClock();
  const { logger, lines } = keptLogger();
  const log = new FailureLog({ clock, logger, message: 'it fails' });
  const pass = (ms: number) => {
    clock.advance(ms);
    mock.timers.tick(ms);
  };
  const said = () => lines().map((line) => JSON.parse(line) as object);
  log.add(new Error('first'), { id: 1 });
  log.add(new Error('second'), { id: 2 });
  pass(30_000);
  log.add('third', { id: 3 });
  t.match(said(), [{ count: 1, reason: 'first', id: 1, msg: 'it fails' }]);
  pass(30_000);
  t.match(said()[1], { count: 2, reason: 'third', id: 3 });
  pass(600_000);
  t.equal(said().length, 2, 'nothing has failed since');
  log.add('later');
  t.match(said()[2], { count: 1, reason: 'later' });
});
