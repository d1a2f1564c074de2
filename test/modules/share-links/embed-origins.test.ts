import t from 'tap';
import { embedOriginsOf } from '../../../src/modules/share-links/embed-origins.ts';

t.test('origins are taken as browsers name them, each once', async (t) => {
  t.same(
    embedOriginsOf([
      'https://Intranet.Example.com/',
      'https://intranet.example.com',
      'http://127.0.0.1:8080',
    ]),
    ['https://intranet.example.com', 'http://127.0.0.1:8080'],
  );
  t.same(embedOriginsOf(['https://[::1]:8443', 'https://bücher.example']), [
    'https://[::1]:8443',
    'https://xn--bcher-kva.example',
  ]);
  t.same(embedOriginsOf([]), []);
});

t.test('what is not an origin is named, and cannot reach a policy', async (t) => {
  for (const text of [
    'https://a.example/path',
    'https://a.example?x',
    'https://user@a.example',
    'https://*.example.com',
    'https://*',
    '*',
    "'self'",
    'https:',
    'a.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'ws://a.example',
    'https://a.example;script-src',
    "https://a.example'none'",
    'https://a.example,b.example',
    'https://a.example https://b.example',
    'https://a.example\nx',
    '',
  ])
    t.throws(() => embedOriginsOf([text]), { code: 'VALIDATION_ERROR', message: /is not an origin/ }, text);
});
