// Long list: it fills in forms of the page in a browser; quick: test/ui/app/config-values.test.ts, test/modules/connectors/connector-routes.test.ts.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import mysql from 'mysql2/promise';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createMongoDatabase, withoutMongodb } from '../../../support/ferretdb.ts';
import { createMariadbDatabase, withoutMariadb } from '../../../support/mariadb.ts';
import { createDatabase } from '../../../support/postgres.ts';
import { serve } from '../../../support/served.ts';
import { appTests } from '../../support/app-tests.ts';
import { drawnTypes, type FormCase, formTypes, walkForm } from '../../support/connector-form.ts';
import { servedProfile } from '../../support/signed-in.ts';

t.setTimeout(180_000);
const TABLE = 'CREATE TABLE orders (id integer PRIMARY KEY, customer text)';
const ROWS = `INSERT INTO orders VALUES (1, 'Nord GmbH'), (2, 'Süd AG')`;
const PASSWORD = 'correct horse battery';
const shown = { resource: 'orders', cell: 'Nord GmbH' };

type Case = (t: Test, folder: string) => Promise<FormCase>;

const cases: Record<(typeof formTypes.databases)[number], { skip: false | string; open: Case }> = {
  sqlite: {
    skip: false,
    open: async (_t, folder) => {
      const db = new DatabaseSync(join(folder, 'warehouse.db'));
      db.exec(`${TABLE}; ${ROWS}`);
      db.close();
      return {
        title: 'SQLite',
        fields: { path: 'warehouse.db', create: 'No' },
        secrets: [],
        mistake: ['path', 'warehose.db', /"warehose\.db" does not exist/],
        shown,
      };
    },
  },
  postgres: {
    skip: false,
    open: async (t) => {
      const { url } = await createDatabase(t);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(TABLE);
      await client.query(ROWS);
      const role = `etl_${new URL(url).pathname.slice(1)}`;
      await client.query(
        `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'; GRANT SELECT ON orders TO ${role}`,
      );
      t.teardown(async () => {
        await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
        await client.end();
      });
      return ofServer('PostgreSQL', url, role, [
        'password',
        'wrong horse',
        /refused the user or the password|password/,
      ]);
    },
  },
  mysql: {
    skip: withoutMariadb(),
    open: async (t) => {
      const { url } = await createMariadbDatabase(t);
      const connection = await mysql.createConnection(url);
      await connection.query(TABLE);
      await connection.query(ROWS);
      await connection.query(`SET PASSWORD = PASSWORD('${PASSWORD}')`);
      await connection.end();
      return ofServer('MySQL', url, new URL(url).username, [
        'password',
        'wrong horse',
        /refused the user or the password/,
      ]);
    },
  },
  mongodb: {
    skip: withoutMongodb(),
    open: async (t) => {
      const { url, db } = await createMongoDatabase(t);
      await db.collection('orders').insertMany([{ customer: 'Nord GmbH' }, { customer: 'Süd AG' }]);
      const { hostname, port, pathname } = new URL(url);
      return {
        title: 'MongoDB',
        fields: { host: hostname, port, database: pathname.slice(1) },
        secrets: [],
        mistake: ['host', 'db.invalid', /No server has this host name/],
        shown,
      };
    },
  },
};

function ofServer(title: string, url: string, user: string, mistake: FormCase['mistake']): FormCase {
  const { hostname, port, pathname } = new URL(url);
  const fields = { host: hostname, port, database: pathname.slice(1), user, password: PASSWORD };
  return { title, fields, secrets: ['password'], mistake, shown };
}

await appTests(async (open) => {
  const served = await serve(t, { SVC_OUTBOUND_ALLOW: '127.0.0.1' });
  const walk = { open, served, profile: await servedProfile(served) };
  for (const type of drawnTypes(t, formTypes.databases)) {
    const { skip, open: prepare } = cases[type];
    t.test(type, { skip }, async (t) => walkForm(t, walk, await prepare(t, served.folder)));
  }
});
