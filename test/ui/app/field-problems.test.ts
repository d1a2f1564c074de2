import t from 'tap';
import { ApiError } from '../../../src/client/api-error.ts';
import { areAllAt, problemsAt, problemsElsewhere } from '../../../src/ui/frame/forms/field-problems.ts';

const refusal = new ApiError(400, {
  error: 'VALIDATION_ERROR',
  message: 'No name',
  request_id: 'r',
  details: [
    { path: 'name', message: 'No name' },
    { path: 'email.to.1', message: 'No address' },
  ],
});

t.test('a problem is said at the field that the API names, or that holds it', async (t) => {
  t.same(problemsAt(refusal, 'name'), ['No name']);
  t.same(problemsAt(refusal, 'email.to'), ['No address']);
  t.same(problemsAt(refusal, 'email.t'), []);
  t.same(problemsAt(new Error('none'), 'name'), []);
});

t.test('what no field says is left for the form', async (t) => {
  t.same(problemsElsewhere(refusal, ['name']), ['No address']);
  t.notOk(areAllAt(refusal, ['name']));
  t.ok(areAllAt(refusal, ['name', 'email.to']));
  t.notOk(areAllAt(new Error('none'), ['name']));
  t.notOk(areAllAt(null, ['name']));
});
