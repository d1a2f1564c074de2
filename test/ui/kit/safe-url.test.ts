import t from 'tap';
import { safeImageUrl, safeUrl } from '../../../src/ui/kit/text/safe-url.ts';

t.test('links are http(s), mailto, tel or relative', async (t) => {
  for (const href of [
    'https://a.example',
    'http://a.example',
    'mailto:a@b.example',
    'tel:+1555',
    '/x',
    'x',
    '?q',
    '#h',
  ]) {
    t.equal(safeUrl(href), href);
  }
});

t.test('a scheme that runs or reads something is refused however it is disguised', async (t) => {
  const refused = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    '',
    null,
    {},
  ];
  for (const href of refused) t.equal(safeUrl(href), null, String(href));
});

t.test('images are of this site or plain data', async (t) => {
  t.equal(safeImageUrl('/logo.png'), '/logo.png');
  t.equal(safeImageUrl('data:image/png;base64,AA'), 'data:image/png;base64,AA');
  for (const source of [
    '//evil.example/x',
    '/\\evil.example',
    'https://a.example/x.png',
    'data:image/svg+xml,<svg/>',
    'x',
  ]) {
    t.equal(safeImageUrl(source), null, source);
  }
});
