import t from 'tap';
import { withArticle } from '../../../src/base/text/with-article.ts';
import { CONNECTOR_TYPES } from '../../../src/drivers/driver-loaders.ts';

t.test('every connector type is named with its article', async (t) => {
  const named = CONNECTOR_TYPES.map(withArticle);
  t.strictSame(named.filter((words) => words.startsWith('An ')).toSorted(), [
    'An airbyte',
    'An excel',
    'An http',
    'An xml',
  ]);
  t.ok(named.includes('A unified_api'));
});
