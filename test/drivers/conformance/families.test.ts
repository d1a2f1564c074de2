import t from 'tap';
import { CONNECTOR_TYPES } from '../../../src/drivers/driver-loaders.ts';
import { FAMILIES } from './conforms.ts';

t.test('every connector type is held against the suite', async (t) => {
  t.strictSame(Object.values(FAMILIES).flat().toSorted(), [...CONNECTOR_TYPES].toSorted());
});
