// Long list: it kills processes, or cuts what they rely on; quick: test/docs/examples.test.ts, test/paths/dead-letter-replay.test.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { blocksOf, playRecipe, RECIPES } from '../docs/cookbook-recipes.ts';
import { KILLS, type KillWorld, killWorld, type Victim, victimOf } from '../support/kill-world.ts';

/*
 * The pipelines of the cookbook run as jobs of a server. In turn its executor with its runners and the whole server are killed (`kill -9`)
 * at a random moment, in its first run and in the later ones; what the page shows is there all the same.
 */

t.setTimeout(3_600_000);

let kept: Promise<KillWorld> | undefined;
/** One server for all recipes, started with the first of them. */
const theWorld = () => {
  kept ??= killWorld(t);
  return kept;
};
let again = 0;

/** A line of shell of the cookbook: `headgate run FILE --connector NAME=TYPE:PATH --arg NAME=VALUE --dead-letters FILE`. */
interface Command {
  readonly file: string;
  readonly connectors: readonly { readonly name: string; readonly type: string; readonly path: string }[];
  readonly args: Readonly<Record<string, string>>;
  readonly letters: string | null;
}

function commandOf([verb = '', file = '', ...options]: readonly string[]): Command {
  if (verb !== 'run') throw new Error(`"${verb}" cannot be made a job`);
  const given = (name: string) => options.filter((_, at) => options[at - 1] === `--${name}`);
  return {
    file,
    connectors: given('connector').map((text) => {
      const [, name = '', type = '', path = ''] = /^(\w+)=(\w+):(.+)$/.exec(text) ?? [];
      return { name, type, path };
    }),
    args: Object.fromEntries(given('arg').map((text) => text.split('=', 2) as [string, string])),
    letters: given('dead-letters')[0] ?? null,
  };
}

/** A recipe's commands as jobs; those that are alike are runs of one job, so that it keeps its cursor. */
function createPlayer({ served, connector, job, run }: KillWorld) {
  const { api } = served;
  const templates = new Map<string, number>();
  /** Of each command, undisturbed, in milliseconds. */
  const long = new Map<string, number>();

  async function templateOf(key: string, { file, connectors, args }: Command, folder: string) {
    const known = templates.get(key);
    if (known !== undefined) return known;
    const yaml = readFileSync(join(folder, file), 'utf8');
    const task = /^name: (\w+)$/m.exec(yaml)?.[1] ?? '';
    if (![...templates.keys()].some((other) => other.startsWith(`${file} `)))
      await api.post('/api/tasks', { yaml_content: yaml });
    const name = `${task}_${templates.size}`;
    const types = Object.fromEntries(connectors.map((one) => [one.name, { type: one.type }]));
    const yaml_content = JSON.stringify({
      version: 1,
      name,
      connectors: types,
      tasks: { it: { task, args } },
    });
    const { id } = await api.post<{ id: number }>('/api/job-templates', { name, yaml_content });
    templates.set(key, id);
    return id;
  }

  /** Runs commands in a folder; a `victim` is killed in run number `killed`. */
  return (folder: string, victim: Victim | null, killed: number) => {
    let runs = 0;
    const jobs = new Map<string, number>();
    return async (words: readonly string[]) => {
      const command = commandOf(words);
      const key = `${command.file} ${JSON.stringify(command.args)}`;
      const template = await templateOf(key, command, folder);
      if (!jobs.has(key)) {
        const mapping: Record<string, number> = {};
        for (const { name, type, path } of command.connectors)
          mapping[name] = await connector(type, {
            path: join(folder, path),
            ...(type === 'sqlite' ? { create: true } : {}),
          });
        jobs.set(key, await job(template, mapping));
      }
      const longMs = long.get(key) ?? 0;
      const kill = victim === null || runs !== killed ? null : { victim, longMs };
      runs += 1;
      const ended = await run(jobs.get(key) ?? 0, kill);
      if (victim === null) long.set(key, ended.tookMs);
      again += ended.again;
      if (command.letters === null) return;
      const page = await api.get<{ result: unknown[] }>(
        `/api/runs/${ended.runIds[0]}/dead-letters?status=open`,
      );
      const lines = page.result.map((letter) => `${JSON.stringify(letter)}\n`).join('');
      writeFileSync(join(folder, command.letters), lines);
    };
  };
}

let player: ReturnType<typeof createPlayer> | undefined;

for (const title of RECIPES)
  t.test(`${title}: ${KILLS} kills, with nothing lost and nothing twice`, async (t) => {
    const world = await theWorld();
    player ??= createPlayer(world);
    const shell = blocksOf(title).filter(({ info }) => info === 'sh');
    const runs = shell.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
    for (let at = 0; at <= KILLS; at += 1) {
      const folder = join(world.served.folder, `${title.replaceAll(' ', '-')}-${at}`);
      mkdirSync(folder);
      const victim = at === 0 ? null : victimOf(at);
      const what = victim === null ? 'undisturbed' : `kill ${at}, of the ${victim}`;
      const killed = Math.floor((at - 1) / 2) % runs;
      const results = await playRecipe(title, folder, player(folder, victim, killed));
      for (const { sql, shown, found } of results) t.equal(found, shown, `${what}: ${sql}`);
    }
  });

t.test('some of them were killed before they had ended', async (t) => {
  t.comment(`${again} attempts again`);
  t.ok(again > 0 || KILLS < 2, `${again} attempts again`);
});
