import t from 'tap';
import { isThisMachine } from '../../../src/ui/frame/state/this-machine.ts';

t.test('addresses that lead others nowhere are known', async (t) => {
  for (const url of [
    'http://localhost:8080/share/x',
    'http://127.0.0.1/',
    'https://127.8.9.1:1/',
    'http://[::1]:8080/',
    'http://0.0.0.0:8080',
    'http://a.localhost/',
    'http://2130706433/',
  ])
    t.equal(isThisMachine(url), true, url);
  for (const url of [
    'https://headgate.example.com/',
    'http://10.0.0.1/',
    'http://127.0.0.1.example.com/',
    'https://localhost.example.com/',
    'nonsense',
    '',
  ])
    t.equal(isThisMachine(url), false, url);
});
