import { QueryObserver } from '@tanstack/react-query';
import t, { type Test } from 'tap';
import { ApiError } from '../../src/client/api-error.ts';
import { createConnection } from '../../src/ui/frame/state/connection.ts';
import { createQueryClient } from '../../src/ui/frame/state/create-query-client.ts';

/** A page whose server says whether it is there, and whose readings count. */
function pageOf(t: Test, isThere: () => boolean) {
  const seen = { asked: 0, back: 0 };
  const connection = createConnection({
    isBack: async () => {
      seen.asked += 1;
      return isThere();
    },
    onBack: () => {
      seen.back += 1;
    },
  });
  const client = createQueryClient({ connection, onRefusal: () => undefined });
  t.teardown(() => client.clear());
  /** Shows what `read` gives, and says how often it was called. */
  const show = (key: string, read: (times: number) => unknown) => {
    let times = 0;
    const observer = new QueryObserver(client, {
      queryKey: [key],
      queryFn: async () => read(++times),
    });
    t.teardown(observer.subscribe(() => undefined));
    return { times: () => times, state: () => observer.getCurrentResult() };
  };
  return { connection, client, seen, show };
}

const noAnswer = () => {
  throw new ApiError(0, { error: 'UNREACHABLE', message: 'no answer', details: [], request_id: null });
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

t.test('what has no answer of a server that is there is read once more, and nothing else is', async (t) => {
  const { connection, seen, show } = pageOf(t, () => true);
  const other = show('other', () => 1);
  const cut = show('cut', noAnswer);
  await settled();
  t.equal(cut.times(), 2);
  t.match(cut.state().error, { status: 0 });
  t.equal(other.times(), 1);
  t.equal(connection.current(), 'ok');
  t.equal(seen.back, 0);
});

t.test('a single answer that is lost is not seen', async (t) => {
  const { connection, show } = pageOf(t, () => true);
  const once = show('once', (times) => (times === 1 ? noAnswer() : 'there'));
  await settled();
  t.match(once.state(), { status: 'success', data: 'there' });
  t.equal(connection.current(), 'ok');
});

t.test(
  'a server that answers nothing is lost, is asked once for all, and read again when it is back',
  async (t) => {
    let isThere = false;
    const { connection, seen, show } = pageOf(t, () => isThere);
    const [one, two] = [show('one', noAnswer), show('two', noAnswer)];
    await settled();
    t.equal(connection.current(), 'lost');
    t.equal(seen.asked, 1);
    t.same([one.times(), two.times()], [1, 1]);
    isThere = true;
    connection.report('ok');
    t.equal(seen.back, 1);
  },
);
