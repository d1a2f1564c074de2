// Long list: it waits for services that fail in every way; quick: test/protocol/grpc-bounds.test.ts, test/protocol/grpc-server.test.ts.
// Own process: measures the memory of its process.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { startPeer } from './support/grpc-peer.ts';
import { eventually, recordSession } from './support/recorded-session.ts';
import { beatSteadily } from './support/steady-heart.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('support/attack-main.ts', import.meta.url));
const ATTACK_MS = 600;
/** Loose, for machines that do other things too; on a quiet one it is below 100 ms in each case. */
const HEARTBEAT_MS_MAX = 2_000;
const MEMORY_BYTES_MAX = 256 * 1024 * 1024;

const KINDS = [
  {
    kind: 'rapid-reset',
    who: 'with a key',
    what: 'thousands of calls opened and reset in one go',
    cut: true,
  },
  { kind: 'patient-reset', who: 'with a key', what: 'calls opened and reset in small portions', cut: true },
  { kind: 'patient-reset', who: 'without a key', what: 'refused calls, reset before the answer', cut: true },
  { kind: 'calls', who: 'without a key', what: 'refused calls, one after another', cut: true },
  { kind: 'patient-ping', who: 'with a key', what: 'pings in small portions', cut: true },
  { kind: 'patient-settings', who: 'with a key', what: 'settings in small portions', cut: true },
  { kind: 'ping', who: 'with a key', what: 'a flood of pings', cut: true },
  { kind: 'settings', who: 'with a key', what: 'a flood of settings', cut: true },
  { kind: 'continuation', who: 'without a key', what: 'headers that never end', cut: true },
  { kind: 'garbage', who: 'without a key', what: 'frames that are none', cut: true },
  { kind: 'bomb', who: 'with a key', what: 'messages that inflate a thousandfold', cut: false },
] as const;

async function attack(kind: string, port: number, fields: Record<string, string>) {
  const args = [MAIN, kind, String(port), String(ATTACK_MS), JSON.stringify(fields)];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout) as { readonly connections: number; readonly closed: number };
}

for (const { kind, who, what, cut } of KINDS) {
  t.test(`others are unharmed by ${what} (${who})`, async (t) => {
    const { port, client, own, server } = await startPeer(t);
    const recorded = recordSession(client);
    await recorded.nth('onAttached');
    const before = process.memoryUsage.rss();
    const steady = beatSteadily(recorded);
    const fields = who === 'with a key' ? own : { ...own, authorization: 'Bearer no-such-key' };
    const { connections, closed } = await attack(kind, port, fields);
    const { beats, slowestMs } = await steady();
    const grown = process.memoryUsage.rss() - before;
    t.comment(`${beats} heartbeats, the slowest ${Math.round(slowestMs)} ms; ${connections} connections`);
    t.ok(connections > 0);
    if (cut) t.equal(closed, connections, 'each connection was closed by the server');
    t.ok(slowestMs < HEARTBEAT_MS_MAX, `${slowestMs} ms`);
    t.ok(grown < MEMORY_BYTES_MAX, `${grown} bytes`);
    t.same(recorded.all('onClosed'), [], 'the session stands');
    await eventually('the attacker to be gone', () => server.counts().connections === 1);
    t.match(server.counts(), { connections: 1, unproved: 0, streams: 1, sessions: 1 });
    recorded.session.close();
    await recorded.nth('onClosed');
  });
}
