// Long list: it fills in forms of the page in a browser; quick: test/ui/app/config-values.test.ts, test/modules/connectors/connector-routes.test.ts.
import pg from 'pg';
import t, { type Test } from 'tap';
import { findProgram } from '../../../support/find-program.ts';
import { createDatabase } from '../../../support/postgres.ts';
import { serve } from '../../../support/served.ts';
import { appTests } from '../../support/app-tests.ts';
import { drawnTypes, type FormCase, formTypes, walkForm } from '../../support/connector-form.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(180_000);
const PASSWORD = 'correct horse battery';
const programs = {
  faker: findProgram(process.env['AIRBYTE_SOURCE_FAKER_PATH'], ['source-faker']),
  'tap-postgres': findProgram(process.env['TAP_POSTGRES_PATH'], ['tap-postgres']),
  'target-jsonl': findProgram(process.env['TARGET_JSONL_PATH'], ['target-jsonl']),
};
type Name = keyof typeof programs;

const cases: Record<
  (typeof formTypes.programs)[number],
  { readonly program: Name; open(t: Test, folder: string): Promise<FormCase> }
> = {
  airbyte: {
    program: 'faker',
    open: async () => ({
      title: 'Airbyte source',
      fields: { plugin: 'faker', 'config/Count': '20', 'config/Seed': '7', 'config/Always Updated': 'No' },
      secrets: [],
      mistake: ['config/Count', '0', /must be at least 1|>= ?1|1/],
      shown: { resource: 'users', cell: '20' },
    }),
  },
  singer: { program: 'tap-postgres', open: ofTap },
  singer_target: {
    program: 'target-jsonl',
    open: async (_t, folder) => ({
      title: 'Singer target',
      fields: { plugin: 'target-jsonl', config: JSON.stringify({ destination_path: folder }) },
      secrets: [],
      mistake: ['config', `{destination_path: ${folder}}`, /This is not JSON/],
      shown: null,
    }),
  },
};

async function ofTap(t: Test): Promise<FormCase> {
  const { url } = await createDatabase(t);
  const { hostname: host, port, pathname } = new URL(url);
  const dbname = pathname.slice(1);
  const user = `tap_${dbname}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE orders (id integer PRIMARY KEY, customer text);
    INSERT INTO orders VALUES (1, 'Nord GmbH');
    CREATE ROLE ${user} LOGIN PASSWORD '${PASSWORD}'; GRANT SELECT ON orders TO ${user}`);
  t.teardown(async () => {
    await client.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
    await client.end();
  });
  return {
    title: 'Singer tap',
    fields: {
      plugin: 'tap-postgres',
      config: JSON.stringify({ host, port: Number(port), user, dbname }),
      secrets: JSON.stringify({ password: PASSWORD }),
    },
    secrets: ['secrets'],
    mistake: ['secrets', '{"password": "wrong horse"}', /password authentication failed/],
    shown: { resource: 'public-orders', cell: 'Nord GmbH' },
  };
}

await appTests(async (open) => {
  const plugins = Object.entries(programs).flatMap(([name, program]) =>
    program === null ? [] : [{ name, command: [program] }],
  );
  const served = await serve(t, { SVC_PLUGINS: JSON.stringify(plugins) });
  const walk = { open, served, profile: await servedProfile(served) };

  for (const type of drawnTypes(t, formTypes.programs)) {
    const { program, open: prepare } = cases[type];
    const skip = programs[program] === null && `there is no ${program}`;
    t.test(type, { skip }, async (t) => walkForm(t, walk, await prepare(t, served.folder)));
  }
});
