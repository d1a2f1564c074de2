import t from 'tap';
import { parseAddress } from '../../../src/base/outbound/address.ts';
import { isAllowed, parseAllowList } from '../../../src/base/outbound/allow-list.ts';
import { OutboundError } from '../../../src/base/outbound/outbound-error.ts';
import {
  mayReach,
  type OutboundPolicy,
  type OutboundRules,
  portOfAddress,
  requireUrl,
} from '../../../src/base/outbound/outbound-policy.ts';

function rulesOf(policy: OutboundPolicy, ...entries: string[]): OutboundRules {
  const parsed = parseAllowList(entries);
  if (!parsed.ok) throw new Error(parsed.entry);
  return {
    policy,
    allow: parsed.list,
    ownPorts: [8080],
    ownAddresses: () => ['10.1.2.3', 'fe80::1%eth0', '2a01::7'],
  };
}

function codeOf(rules: OutboundRules, url: string): string {
  try {
    requireUrl(rules, url);
    return 'passes';
  } catch (error) {
    if (error instanceof OutboundError) return error.code;
    throw error;
  }
}

/** Each is loopback, unspecified, link-local or a metadata service, as URLs can spell it. */
const SPELLINGS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.0.1./',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.255.255.254/',
  'http://①②⑦.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::127.0.0.1]/',
  'http://[::a9fe:a9fe]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[2002:7f00:1::1]/',
  'http://[2001:0:1:2:3:4:8001:5601]/',
  'http://[2a01:4f8::5efe:127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd00:0ec2:0:0:0:0:0:0254]/',
  'http://[fd20:ce::254]/',
];

t.test('every spelling of this machine and of metadata services is refused by every policy', async (t) => {
  for (const url of SPELLINGS)
    for (const policy of ['block-metadata', 'public-only', 'allowlist'] as const)
      t.equal(codeOf(rulesOf(policy), url), 'OUTBOUND_REFUSED', `${url} ${policy}`);
});

t.test('the policies differ in private and global addresses', async (t) => {
  const privates = [
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '[fd12::1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
  ];
  const never = [
    '198.18.0.1',
    '192.0.2.1',
    '240.0.0.1',
    '[2001:db8::1]',
    '[fec0::1]',
    '[2002:808:808::1]',
    '[100::1]',
    '[4000::1]',
  ];
  const global = ['8.8.8.8', '[2606:4700::1111]', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]'];
  for (const host of [...privates, ...never]) {
    t.equal(codeOf(rulesOf('block-metadata'), `https://${host}/`), 'passes', host);
    t.equal(codeOf(rulesOf('public-only'), `https://${host}/`), 'OUTBOUND_REFUSED', host);
  }
  for (const host of global) {
    t.equal(codeOf(rulesOf('block-metadata'), `https://${host}/`), 'passes', host);
    t.equal(codeOf(rulesOf('public-only'), `https://${host}/`), 'passes', host);
    t.equal(codeOf(rulesOf('allowlist'), `https://${host}/`), 'OUTBOUND_REFUSED', host);
  }
});

t.test('the own ports are refused at the own addresses, and elsewhere not', async (t) => {
  const rules = rulesOf('block-metadata');
  t.equal(codeOf(rules, 'http://10.1.2.3:8080/'), 'OUTBOUND_REFUSED');
  t.equal(codeOf(rules, 'http://[2a01::7]:8080/'), 'OUTBOUND_REFUSED');
  t.equal(codeOf(rules, 'http://10.1.2.3:8081/'), 'passes');
  t.equal(codeOf(rules, 'http://10.1.2.4:8080/'), 'passes');
});

t.test('the list lets through whatever the policy says', async (t) => {
  const listed = [
    ['127.0.0.1:11434', 'http://127.0.0.1:11434/v1', 'http://127.0.0.1:11435/'],
    ['127.0.0.1', 'http://2130706433:99/', 'http://127.0.0.2/'],
    ['[::1]:80', 'http://[::1]/', 'http://[::1]:81/'],
    ['::1', 'http://[::1]:81/', 'http://127.0.0.1/'],
    ['10.0.0.0/8', 'http://10.255.0.1/', 'http://11.0.0.1/'],
    ['fd00::/8', 'http://[fd99::1]/', 'http://[fc00::1]/'],
    ['169.254.0.0/16', 'http://[::ffff:169.254.1.1]/', 'http://[fe80::1]/'],
    ['Ollama.internal:11434', 'http://ollama.INTERNAL.:11434/', 'http://ollama.internal/'],
  ] as const;
  for (const [entry, inside, outside] of listed) {
    t.equal(codeOf(rulesOf('allowlist', entry), inside), 'passes', inside);
    t.equal(codeOf(rulesOf('allowlist', entry), 'http://8.8.8.8/'), 'OUTBOUND_REFUSED');
    t.equal(codeOf(rulesOf('allowlist', entry), outside), 'OUTBOUND_REFUSED', outside);
  }
});

t.test('a name is judged by the address that it has', async (t) => {
  const target = (host: string, address: string) => ({ host, port: 443, address: parseAddress(address) });
  t.notOk(mayReach(rulesOf('block-metadata'), target('evil.example', '127.0.0.1')));
  t.notOk(mayReach(rulesOf('block-metadata'), target('evil.example', 'fe80::1%2')), 'with a zone id');
  t.notOk(mayReach(rulesOf('block-metadata'), target('evil.example', 'nonsense')), 'what cannot be read');
  t.ok(
    mayReach(rulesOf('public-only', 'db.internal'), target('db.internal', '127.0.0.1')),
    'the name is listed',
  );
  t.notOk(mayReach(rulesOf('public-only', 'db.internal'), target('a.db.internal', '127.0.0.1')));
  t.ok(
    mayReach(rulesOf('allowlist', '10.0.0.0/8'), target('db.internal', '10.0.0.9')),
    'its address is listed',
  );
});

t.test('a URL is http or https, holds no credentials, and is a URL', async (t) => {
  const rules = rulesOf('block-metadata');
  for (const url of [
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:,x',
    'javascript:1',
    'https://a:b@example.com/',
    'https://a@example.com',
    'example.com',
    '',
    'http://',
    'http://[::1%25lo]/',
  ])
    t.equal(codeOf(rules, url), 'OUTBOUND_INVALID', url);
  t.equal(codeOf(rules, 'https://example.com:8443/hook?x=1'), 'passes');
  t.throws(() => requireUrl(rules, 'http://127.0.0.1/secret-path?token=abc'), {
    message: /"127\.0\.0\.1".*"block-metadata".*SVC_OUTBOUND_ALLOW/,
  });
  try {
    requireUrl(rules, 'http://127.0.0.1/secret-path?token=abc');
  } catch (error) {
    t.notMatch((error as Error).message, /secret-path|abc/);
  }
});

t.test('a list that cannot be read is told by its entry', async (t) => {
  for (const entry of [
    '',
    'a b',
    'http://x',
    'host:0',
    'host:99999',
    '10.0.0.0/33',
    '0x7f.1',
    '127.1',
    '2130706433',
    '*.example.com',
    'a:b:c',
    '[x]:1',
  ])
    t.same(parseAllowList(['ok.example', entry]), { ok: false, entry }, entry);
  const parsed = parseAllowList(['::ffff:10.0.0.1']);
  const target = { host: 'x', port: 1, address: parseAddress('10.0.0.1') };
  t.ok(parsed.ok && isAllowed(parsed.list, target), 'one address, whatever its spelling');
});

t.test('the port of an address of the server, in each of its forms', async (t) => {
  const ports = {
    '127.0.0.1:9090': 9090,
    '[::1]:9090': 9090,
    'http://127.0.0.1:8080': 8080,
    'http://127.0.0.1:8080/': 8080,
    'https://headgate.example.com/base': 443,
    'unix:/run/headgate.sock': 0,
  };
  for (const [address, port] of Object.entries(ports)) t.equal(portOfAddress(address), port, address);
});
