import t from 'tap';
import { validationError } from '../../../src/base/errors.ts';
import { publicError, publicProblems } from '../../../src/modules/share-links/public-error.ts';

const problem = (path: string) => ({ path, message: `about ${path}` });
const pathsOf = (own: readonly string[], ...paths: string[]) =>
  publicProblems(paths.map(problem), own).map(({ path }) => path);

t.test('a stranger is told of their own values, and of nothing whose name begins alike', async (t) => {
  const told = ['input', 'input.name', 'input[0]', 'input[0].name'];
  t.same(pathsOf(['input'], ...told), told);
  t.same(pathsOf(['input'], 'inputs', 'input_secret', 'input_secret.token', 'inpu', 'a.input', ''), []);
  t.same(pathsOf(['contact', 'map'], 'contact.email', 'contacts.key', 'map[1]', 'mapping.key', 'other'), [
    'contact.email',
    'map[1]',
  ]);
  t.same(pathsOf([], 'input'), []);
});

t.test('an error whose problems are all private says nothing of them', async (t) => {
  const context = { widgetId: 'w', inputRefusal: null, ownPaths: ['input'], failure: 'It failed' };
  const hidden = publicError(validationError([problem('input_secret.token')]), context);
  t.match(hidden, { code: 'VALIDATION_ERROR', message: /^This widget does not take that/ });
  t.notMatch(JSON.stringify([hidden.message, hidden.details]), /token/);
  const mixed = publicError(validationError([problem('input_secret.token'), problem('input.name')]), context);
  t.same(mixed.details, [{ path: 'input.name', message: 'about input.name' }]);
});
