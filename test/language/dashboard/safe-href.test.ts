import t from 'tap';
import { isSafeHref } from '../../../src/language/dashboard/safe-href.ts';

t.test('web, mail, telephone and relative URLs are safe', async (t) => {
  for (const href of [
    'https://example.com/a?b=c#d',
    'HTTP://example.com',
    'mailto:a@b.co',
    'tel:+4930123',
    '/docs',
    'docs/a:b',
    './x',
    '../x',
    '?q=1',
    '#top',
    'a?u=javascript:x',
  ]) {
    t.ok(isSafeHref(href), href);
  }
});

t.test('anything a browser could read as another scheme or site is not', async (t) => {
  for (const href of [
    '',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'file:///etc/passwd',
    'ftp://a',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://',
    'http:///x',
    'mailto:',
    'a b',
    ':x',
    `/${'a'.repeat(3_000)}`,
  ]) {
    t.notOk(isSafeHref(href), JSON.stringify(href));
  }
});
