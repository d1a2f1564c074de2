import t from 'tap';
import { validationError } from '../../../../src/base/errors.ts';
import { problemLines } from '../../../../src/commands/kit/text/problem-lines.ts';

const problems = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `steps[${index}]`, message: `Mistake ${index}` }));

t.test('each problem is said once, with its place, however many there are', async (t) => {
  for (const count of [1, 2, 3, 4, 9]) {
    const { message, details = [] } = validationError(problems(count));
    const text = problemLines(message, details);
    for (const problem of details)
      t.equal(text.split(problem.message).length, 2, `${count}: ${problem.message}`);
    t.notMatch(text, 'more in details');
    t.equal(text.split('\n').length, count === 1 ? 1 : count + 1);
  }
  t.equal(problemLines('No', [{ path: 'a', message: 'No', line: 3 }]), 'a, line 3: No');
});

t.test('what a message says besides its problems stays', async (t) => {
  t.equal(problemLines('Nothing is there', []), 'Nothing is there');
  const [first, second] = problems(2);
  if (first === undefined || second === undefined) throw new Error('there are two');
  const both = [first, second];
  const joined = 'Nothing was imported. steps[0]: Mistake 0; steps[1]: Mistake 1';
  for (const message of ['Nothing was imported.', joined])
    t.equal(
      problemLines(message, both),
      'Nothing was imported.\n  steps[0]: Mistake 0\n  steps[1]: Mistake 1',
    );
});
