import { execFileSync } from 'node:child_process';
import t from 'tap';
import { commandText, curlText, type ScriptCall } from '../../../src/ui/kit/script-call.ts';

const origin = 'https://headgate.example.com:8443';

/** The words that a shell hands to the program of a line. */
function wordsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; headgate() { printf '%s\\0' "$@"; }; ${line}`;
  const env = { ...process.env, SVC_TOKEN: 'the key' };
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

t.test('a shell reads each word of a request as it is, and its key from the environment', async (t) => {
  const hostile = `it's "$HOME" \`id\` $(id) \\ \n; rm`;
  const call: ScriptCall = { method: 'POST', path: '/api/jobs/7/runs', body: { args: { name: hostile } } };
  const line = curlText(origin, call);
  t.match(line, 'Bearer $SVC_TOKEN');
  const words = wordsOf(line);
  t.same(words.slice(0, 4), ['-fsS', '-X', 'POST', '-H']);
  t.equal(words[4], 'Authorization: Bearer the key');
  t.same(JSON.parse(words[8] ?? ''), call.body);
  t.equal(words.at(-1), `${origin}/api/jobs/7/runs`);
});

t.test('secrets of a body come from the environment', async (t) => {
  const call: ScriptCall = {
    method: 'POST',
    path: '/api/connectors',
    body: {
      name: `it's "$CONNECTOR_PASSWORD"`,
      config: { password: '$CONNECTOR_PASSWORD', key: '$CONNECTOR_KEY' },
    },
    variables: [
      { name: 'CONNECTOR_PASSWORD', isJson: false },
      { name: 'CONNECTOR_KEY', isJson: true },
    ],
  };
  const line = `CONNECTOR_PASSWORD='a b$c'; CONNECTOR_KEY='{"id": 1}'; ${curlText(origin, call)}`;
  t.same(JSON.parse(wordsOf(line)[8] ?? ''), {
    name: `it's "$CONNECTOR_PASSWORD"`,
    config: { password: 'a b$c', key: { id: 1 } },
  });
});

t.test('filters are the query of a request', async (t) => {
  const query = { status: 'error', created_from: '2026-01-15T01:00:00.000Z' };
  const words = wordsOf(curlText(origin, { method: 'GET', path: '/api/job-runs', query }));
  const url = new URL(words.at(-1) ?? '');
  t.same(Object.fromEntries(url.searchParams), query);
  t.notOk(words.includes('-d'));
});

t.test('the command line names the server, where it has a command', async (t) => {
  const call: ScriptCall = {
    method: 'POST',
    path: '/api/job-runs/3/rerun',
    command: ['rerun', '3', '--from', 'the load'],
  };
  t.same(wordsOf(commandText(origin, call) ?? ''), ['rerun', '3', '--from', 'the load', '--server', origin]);
  t.equal(commandText(origin, { method: 'GET', path: '/api/runs' }), null);
});
