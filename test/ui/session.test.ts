import t from 'tap';
import { createSession } from '../../src/ui/frame/session/session.ts';

/** A session whose server answers when it is told to. */
function askedSession() {
  const asked: PromiseWithResolvers<boolean>[] = [];
  const session = createSession(() => {
    asked.push(Promise.withResolvers());
    return (asked.at(-1) as PromiseWithResolvers<boolean>).promise;
  });
  const answer = async (isRefused: boolean) => {
    asked.at(-1)?.resolve(isRefused);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { session, asked, answer };
}

t.test('a session has ended once the server says so twice', async (t) => {
  const { session, asked, answer } = askedSession();
  let told = 0;
  session.subscribe(() => {
    told += 1;
  });
  session.reportRefusal();
  session.reportRefusal();
  t.equal(asked.length, 1, 'asked once for all that was refused together');
  t.notOk(session.hasEnded());
  await answer(true);
  t.ok(session.hasEnded());
  session.reportRenewal();
  t.notOk(session.hasEnded());
  t.equal(told, 2);
});

t.test('a refusal that comes after somebody has signed in again ends nothing', async (t) => {
  const { session, asked, answer } = askedSession();
  session.reportRefusal();
  session.reportRenewal();
  await answer(true);
  t.notOk(session.hasEnded(), 'the question was sent before');
  session.reportRefusal();
  t.equal(asked.length, 2, 'the next one is asked about');
  await answer(false);
  t.notOk(session.hasEnded());
});
