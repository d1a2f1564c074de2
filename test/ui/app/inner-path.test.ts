import t from 'tap';
import { innerPath } from '../../../src/ui/screens/sign-in/inner-path.ts';

t.test('where a sign-in leads is an address of this page', async (t) => {
  for (const path of ['/', '/runs/12?tab=log#end']) t.equal(innerPath(path), path);
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    7,
    null,
  ])
    t.equal(innerPath(path), null, String(path));
});
