// Long list: it fills in forms of the page in a browser; quick: test/ui/app/config-values.test.ts, test/drivers/custom/served.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { serve } from '../../../support/served.ts';
import { appTests } from '../../support/app-tests.ts';
import { formTypes, walkForm } from '../../support/connector-form.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(180_000);
const DRIVER = join(import.meta.dirname, '../../../../examples/driver/tsv-driver.ts');

await appTests(async (open) => {
  const served = await serve(t, { SVC_DRIVERS: DRIVER });
  const walk = { open, served, profile: await servedProfile(served) };

  t.test('dummy', (t) =>
    walkForm(t, walk, {
      title: 'Dummy',
      fields: { rows: '[{"id": 1, "customer": "Nord GmbH"}]' },
      secrets: [],
      mistake: ['rows', '[{"id": 1, "customer": "Nord GmbH"]', /This is not JSON/],
      shown: { resource: 'rows', cell: 'Nord GmbH' },
    }),
  );

  t.test('a driver of one’s own', (t) => {
    mkdirSync(join(served.folder, 'data'));
    writeFileSync(join(served.folder, 'data/people.tsv'), 'id\tname\n1\tAda\n');
    return walkForm(t, walk, {
      title: 'Tab-separated files',
      fields: { folder: join(served.folder, 'data') },
      secrets: [],
      mistake: ['folder', join(served.folder, 'date'), /The folder cannot be read/],
      shown: { resource: 'people', cell: 'Ada' },
    });
  });

  t.test('no type of the server is without such a test', async (t) => {
    const { result } = await served.api.get<{ result: { type: string }[] }>('/api/connectors/types');
    const tested = [...Object.values(formTypes).flat(), 'tsv'];
    t.same(result.map(({ type }) => type).sort(), tested.sort());
  });
});
