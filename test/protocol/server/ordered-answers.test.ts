import { Duplex } from 'node:stream';
import t from 'tap';
import { answerInOrder, type OrderedAnswersOptions } from '../../../src/protocol/server/ordered-answers.ts';

t.test('a stream of far more bytes than may be in flight is answered to its end', async (t) => {
  const requests = Array.from({ length: 50 }, (_, index) => Buffer.alloc(1_000, index));
  const answers: number[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  const call = Object.assign(
    new Duplex({
      readableObjectMode: true,
      writableObjectMode: true,
      autoDestroy: false,
      read() {
        this.push(requests.shift() ?? null);
      },
      write({ index }: { index: number }, _encoding, done) {
        answers.push(index);
        inFlight -= 1;
        done();
      },
    }),
    { cancelled: false },
  );
  await answerInOrder({
    call: call as unknown as OrderedAnswersOptions['call'],
    inFlightMax: 100,
    inFlightBytesMax: 4_000,
    stopping: new AbortController().signal,
    answer: async (request) => {
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { index: request[0] };
    },
  });
  t.same(
    answers,
    Array.from({ length: 50 }, (_, index) => index),
  );
  t.ok(mostInFlight <= 5, `${mostInFlight} at once`);
});
