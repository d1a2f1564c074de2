import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { RefreshClock } from '../../src/ui/kit/widget/refresh-clock.ts';

interface Page {
  readonly clock: RefreshClock;
  readonly asked: string[];
  isHidden: boolean;
  set(widgetId: string, dueAt: number): () => void;
  pass(ms: number): void;
}

/** A clock on a page whose time, from 0 on, the test lets pass. */
function openPage(t: Test): Page {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  t.teardown(() => mock.timers.reset());
  const asked: string[] = [];
  const page: Page = {
    clock: new RefreshClock(() => page.isHidden),
    asked,
    isHidden: false,
    set: (widgetId, dueAt) => page.clock.set(widgetId, dueAt, () => asked.push(`${widgetId} ${Date.now()}`)),
    // `Date` would be that of the end for all that a single tick calls.
    pass(ms) {
      for (let left = ms; left > 0; left--) mock.timers.tick(1);
    },
  };
  return page;
}

t.test('what is due together is refreshed in one go, what is due later in its own time', async (t) => {
  const page = openPage(t);
  page.set('b', 2_030);
  page.set('a', 2_000);
  page.set('late', 2_060);
  page.pass(1_999);
  t.same(page.asked, []);
  page.pass(1);
  t.same(page.asked, ['b 2000', 'a 2000']);
  page.pass(60);
  t.same(page.asked, ['b 2000', 'a 2000', 'late 2060']);
  page.pass(10_000);
  t.equal(page.asked.length, 3, 'each only once');
});

t.test('a turn that was set anew replaces the old one, and only its own is taken back', async (t) => {
  const page = openPage(t);
  const first = page.set('a', 1_000);
  page.set('a', 3_000);
  first();
  const other = page.set('b', 2_000);
  other();
  page.pass(10_000);
  t.same(page.asked, ['a 3000']);
});

t.test('a hidden page refreshes nothing, and what is due once it is seen again', async (t) => {
  const page = openPage(t);
  page.isHidden = true;
  page.set('a', 1_000);
  page.pass(60_000);
  t.same(page.asked, []);
  page.isHidden = false;
  page.pass(1_000);
  t.equal(page.asked.length, 1);
});
