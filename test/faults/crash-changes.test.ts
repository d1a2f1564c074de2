import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { crashPlaces } from '../support/crash-places.ts';
import {
  bundleImport,
  type CrashScene,
  type CrashStage,
  jobUpgrade,
  replaySettle,
  replayStart,
  sweptReplay,
  triggerPause,
  webhookClaim,
  webhookSettle,
} from '../support/crash-scenes.ts';
import { ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { checkHistory } from '../support/history.ts';
import { checkAudit } from '../support/history-audit.ts';
import { checkLetters } from '../support/history-letters.ts';
import { startReceiver } from '../support/http-receiver.ts';
import { seeded } from '../support/seed.ts';
import { until } from '../support/served.ts';
import { changeState } from '../support/state-change.ts';
import type { StoreKind } from '../support/stores.ts';

/*
 * The control plane is killed in one named transaction after another, before and after its commit. While it is down all of what
 * the transaction writes is there, or nothing; after the restart it is there once.
 */

const SCENES: Readonly<Record<string, CrashScene>> = {
  'run-sweep': sweptReplay,
  'job-upgrade': jobUpgrade,
  'bundle-import': bundleImport,
  'dead-letter-replay': replayStart,
  completion: replaySettle,
  'trigger-health': triggerPause,
  'webhook-claim': webhookClaim,
  'webhook-settle': webhookSettle,
};
const DEATH_MS_MAX = 30_000;
const SENT_MS_MAX = 60_000;
const WAITING = `select count(*) from webhook_deliveries where status = 'pending'`;

async function survive(t: Test, kind: StoreKind): Promise<void> {
  const random = seeded(t);
  const receiver = await startReceiver(t);
  const place = join(t.testdir({ place: '' }), 'place');
  const world = await startWorld(t, {
    kind,
    settings: { SVC_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`, SVC_CRASH_AT: `@${place}` },
  });
  const [server] = world.servers;
  if (server === undefined) throw new Error('no server');
  const store = await world.openStore();
  const count = async (query: string) => {
    const { rows } = await sql.raw<Record<string, unknown>>(query).execute(store.read);
    return Number(Object.values(rows[0] ?? {})[0]);
  };
  const stage: CrashStage = { world, server, receiver, count };
  for (const [name, scene] of Object.entries(SCENES)) {
    for (const moment of crashPlaces(random)) {
      const at = `${name}.${moment}`;
      const { before, ready, act, written, again } = await scene.arrange(stage);
      // What an earlier scene has left to be sent would be what the server dies of.
      await until('nothing waits to be sent', SENT_MS_MAX, async () => (await count(WAITING)) === 0);
      if (before !== undefined) {
        await server.kill();
        await before();
      }
      await ready?.();
      writeFileSync(place, `${at}:1`);
      if (before !== undefined) await server.mustStart();
      const acted = act().catch(() => undefined);
      const end: unknown = await Promise.race([server.ended(), sleep(DEATH_MS_MAX, 'alive', { ref: false })]);
      t.equal(end, 'SIGKILL', `killed at ${at}`);
      await acted;
      writeFileSync(place, '');
      const there = await written();
      const whole = moment === 'committed' ? 1 : 0;
      t.same(
        there,
        there.map(() => whole),
        `${at}: ${whole === 1 ? 'all' : 'nothing'} is there`,
      );
      // Who died had it in hand for a minute.
      await changeState(
        world.state,
        `update webhook_deliveries set next_attempt_at = 1 where status = 'pending'`,
      );
      await server.mustStart();
      await again();
      if (name !== 'webhook-claim')
        t.same(
          await written(),
          there.map(() => 1),
          `${at}: after the restart it is there, once`,
        );
      await t.resolves(checkLetters(store.read), at);
      await t.resolves(checkHistory(store.read), at);
    }
  }
  await t.resolves(checkAudit(store.read));
  const events = await store.read.selectFrom('webhook_deliveries').select(['event_id', 'status']).execute();
  const received = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  for (const { event_id, status } of events)
    if (status === 'delivered') t.ok(received.has(event_id), `${event_id} was received`);
}

t.setTimeout(1_200_000);

t.test(
  'killed in the middle of a change, the control plane has made all of it or nothing (SQLite)',
  ofFullList,
  (t) => survive(t, 'sqlite'),
);

t.test(
  'killed in the middle of a change, the control plane has made all of it or nothing (PostgreSQL)',
  ofFullList,
  (t) => survive(t, 'postgres'),
);
