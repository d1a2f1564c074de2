import t from 'tap';
import { deviceOf } from '../../src/ui/frame/session/device-of.ts';

const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';

t.test('a user agent is named by its browser and system, a program by its own name', async (t) => {
  const named: [string, string | null, string | null][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140', 'Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome 141', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/141.0.1`, 'Edge 141', 'Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 OPR/120.0`, 'Opera 120', 'Linux'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome 141', 'ChromeOS'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 'Chrome 141', 'Android'],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/26.0 Safari/605.1.15`,
      'Safari 26',
      'macOS',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${apple} Version/18.6 Mobile/15E148 Safari/604.1`,
      'Safari 18',
      'iOS',
    ],
    [
      `Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${apple} CriOS/141.0 Mobile/15E148 Safari/604.1`,
      'Chrome 141',
      'iOS',
    ],
    ['curl/8.14.1', 'curl 8.14.1', null],
    ['Headgate demo', 'Headgate demo', null],
    ['python-requests/2.32 (x; y)', 'python-requests 2.32', null],
    ['(nothing)', null, null],
    ['', null, null],
  ];
  for (const [userAgent, program, system] of named)
    t.same(deviceOf(userAgent), program === null ? null : { program, system }, userAgent);
  t.equal(deviceOf('x'.repeat(300))?.program.length, 61);
});
