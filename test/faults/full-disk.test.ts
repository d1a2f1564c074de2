import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { isFullList, ofFullList } from '../support/fault-list.ts';
import { startWorld } from '../support/fault-world.ts';
import { endScene, loadScene } from '../support/load-scene.ts';
import { until } from '../support/served.ts';

const call = (tool: string, ...args: string[]) => execFileSync(tool, args, { stdio: 'ignore' });

/** A file system of its own; whether this user may mount one. */
function mountSmall(folder: string, megabytes: number): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    call('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder);
    return true;
  } catch {
    return false;
  }
}

const unmount = (folder: string) => call('umount', '-l', folder);
const mountable = (() => {
  const folder = `/tmp/headgate-test-mount-${process.pid}`;
  const can = process.platform === 'linux' && mountSmall(folder, 1);
  if (can) unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return can;
})();

const skip = isFullList && !mountable ? 'no right to mount a tmpfs' : ofFullList.skip;

t.setTimeout(300_000);

t.test(
  'the disk of the store is full for a while: nothing is acknowledged that is not there, and it goes on',
  { skip },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-test-disk-'));
    t.ok(mountSmall(folder, 96));
    t.teardown(() => {
      unmount(folder);
      rmSync(folder, { recursive: true, force: true });
    });
    const settings = {
      SVC_STATE_PATH: join(folder, 'state.db'),
      SVC_METRICS_PATH: join(folder, 'metrics.db'),
    };
    const world = await startWorld(t, { settings });
    const scene = await loadScene(t, world);
    const ballast = join(folder, 'ballast');
    try {
      writeFileSync(ballast, Buffer.alloc(200 * 1_048_576));
    } catch (error) {
      t.match(error, { code: 'ENOSPC' }, 'the disk is full');
    }
    await sleep(4_000);
    t.ok(world.servers[0]?.isAlive, 'the server lives');
    const answer = await fetch(`${world.servers[0]?.url}/api/health`);
    t.equal(answer.status, 200);
    const refused = await world.api.post(`/api/tasks/${scene.work.taskId}/runs`, {}).then(
      () => null,
      (error: { status: number; message: string }) => error,
    );
    t.ok(refused === null || refused.status >= 500, 'a change is refused, or was small enough');
    t.notMatch(refused?.message ?? '', /SQLITE|\/tmp|state\.db/, 'and says nothing of the machine');
    rmSync(ballast);
    await until('it takes changes again', 20_000, () =>
      world.api.post(`/api/tasks/${scene.work.taskId}/runs`, {}).then(
        () => true,
        () => false,
      ),
    );
    await endScene(t, scene);
  },
);
