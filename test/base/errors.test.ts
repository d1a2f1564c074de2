import t from 'tap';
import { validationError } from '../../src/base/errors.ts';

const problemsOf = (...messages: string[]) =>
  messages.map((message, index) => ({ path: `${index}`, message }));

t.test('the message of a validation error says up to three problems, each once', async (t) => {
  const messageOf = (...messages: string[]) => validationError(problemsOf(...messages)).message;
  t.equal(messageOf(), 'Invalid input');
  t.equal(messageOf('a'), 'a');
  t.equal(messageOf('a', 'b', 'c'), 'a; b; c');
  t.equal(messageOf('a', 'b', 'c', 'd', 'e'), 'a; b; c (and 2 more in details)');
  t.equal(messageOf('a', 'a', 'b'), 'a; b');
  t.equal(validationError(problemsOf('a', 'a', 'b', 'c', 'd')).details?.length, 5, 'the details have all');
});
