// Long list: it kills processes, or cuts what they rely on; quick: test/engine/script/dependencies.test.ts.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { pythonOfEnvironment } from '../../src/engine/script/script-environment.ts';
import { PYTHON } from '../engine/script/script-scene.ts';
import { fewOrMany } from '../support/fault-list.ts';
import { findProgram } from '../support/find-program.ts';
import { seeded } from '../support/seed.ts';

/* A run is killed while the packages of its script are installed: no later run takes what is half made for an environment. */

const UV = findProgram(process.env['UV_PATH'], ['uv']);
const skip = (UV === null || PYTHON === null) && 'no uv: set UV_PATH';
const KILLS = fewOrMany(4, 10);
const PACKAGES = 6;

t.test(
  'an installation that is killed leaves nothing that passes for an environment',
  { skip },
  async (t) => {
    const { random } = seeded(t);
    const folder = t.testdir({ wheels: {} });
    const wheels = join(folder, 'wheels');
    const names = Array.from({ length: PACKAGES }, (_, n) => `part${n}`);
    for (const name of names)
      execFileSync(PYTHON as string, [
        join(import.meta.dirname, '../engine/script/wheel.py'),
        wheels,
        name,
        '1.0',
        'OK = 1\n',
      ]);
    const lock = readdirSync(wheels)
      .map((file) => {
        const hash = createHash('sha256')
          .update(readFileSync(join(wheels, file)))
          .digest('hex');
        return `${file.split('-')[0]}==1.0 --hash=sha256:${hash}`;
      })
      .sort()
      .join('\n');
    const environments = join(folder, 'environments');
    const prepare = () => {
      rmSync(environments, { recursive: true, force: true });
      mkdirSync(environments);
      writeFileSync(
        join(environments, 'uv.toml'),
        `no-index = true\nfind-links = [${JSON.stringify(wheels)}]\n`,
      );
    };
    const request = { python: PYTHON as string, uv: { program: UV as string, folder: environments }, lock };
    const main = join(import.meta.dirname, '../support/make-environment-main.ts');
    const start = async () => {
      const child = spawn(process.execPath, [main, JSON.stringify(request)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      return child;
    };
    const imports = (python: string) =>
      execFileSync(python, ['-c', `import ${names.join(', ')}; print(part5.OK)`], {
        encoding: 'utf8',
      }).trim();
    const whole = () => readdirSync(environments).filter((name) => /^[0-9a-f]{64}$/.test(name));

    prepare();
    const from = performance.now();
    const child = await start();
    await once(child, 'exit');
    const lengthMs = performance.now() - from;
    t.equal(whole().length, 1);

    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      prepare();
      const child = await start();
      await delay(random() * lengthMs);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      if (whole().length === 0) interrupted += 1;
      for (const name of whole())
        t.equal(imports(join(environments, name, 'bin', 'python')), '1', 'what is there is whole');
      const python = await pythonOfEnvironment({ ...request, signal: new AbortController().signal });
      t.ok(existsSync(python));
      t.equal(imports(python), '1', 'the next run has all of its packages');
      t.equal(whole().length, 1);
    }
    t.ok(interrupted > 0, 'some were killed before they had ended');
  },
);
