import t from 'tap';
import { meantSetting } from '../../../src/base/settings/meant-setting.ts';
import { SETTINGS } from '../../../src/settings.ts';

t.test('a variable that is no setting is told with the one that was meant', async (t) => {
  const meant = (name: string) => meantSetting(name, Object.keys(SETTINGS));
  t.equal(meant('SVC_PORT'), 'did you mean SVC_HTTP_PORT or SVC_GRPC_PORT?');
  t.equal(meant('SVC_FILE_ROOT'), 'did you mean SVC_FILE_ROOTS?');
  t.equal(meant('SVC_HOST'), 'did you mean SVC_HTTP_HOST or SVC_GRPC_HOST?');
  t.equal(meant('SVC_RETENTION').split(' or ').length, 3, 'no more than one reads');
  for (const name of ['SVC_UNHEARD_OF', 'SVC_', 'SVC__'])
    t.equal(meant(name), '`headgate serve --help` lists them', name);
});
