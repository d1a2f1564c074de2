import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { type ConnectorType, DRIVER_LOADERS } from '../../../src/drivers/driver-loaders.ts';
import { createMariadbDatabase, withoutMariadb } from '../../support/mariadb.ts';
import { createDatabase } from '../../support/postgres.ts';
import { execute } from '../sql/engines.ts';
import { familyConforms, freshFolder, LOOPBACK, type Peers } from './conforms.ts';

const list = (table: string) => ({ method: 'list', args: { table } });

/** Two tables, the second for loads, and what empties it. */
async function tables(t: Test, type: ConnectorType, config: Row, fileRoots: readonly string[] = []) {
  const driver = await DRIVER_LOADERS[type]();
  const connection = await driver.connect(config, { ...LOOPBACK, fileRoots });
  t.teardown(() => connection.close());
  await execute(
    connection,
    'CREATE TABLE people (id integer PRIMARY KEY, name text)',
    `INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob'), (3, NULL), (4, 'Di')`,
    'CREATE TABLE copy (id integer PRIMARY KEY, name text)',
  );
  const empty = () => execute(connection, 'DELETE FROM copy');
  const refused = { id: 'no number', name: 'x' };
  const versions = { object: 'versions', read: list('versions') };
  return {
    config,
    read: list('people'),
    write: { object: 'copy', read: list('copy'), empty, refused, versions },
  };
}

/** The URL with another part. */
function other(url: string, change: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port'>>): Row {
  return { url: Object.assign(new URL(url), change).href };
}

const PEERS: Peers<'tables'> = {
  sqlite: [
    {
      name: 'a file',
      prepare: async (t) => {
        const folder = freshFolder(t);
        const sample = await tables(t, 'sqlite', { path: join(folder, 'shop.db'), create: true }, [folder]);
        const wrong = [
          {
            config: { path: join(folder, 'none.db') },
            fault: 'CONFIG',
            says: /none\.db.* (does not exist|no file|is not there)/,
          },
          { config: { path: '/elsewhere/a.db' }, fault: 'CONFIG', says: /outside/ },
        ] as const;
        return { sample: { ...sample, wrong }, context: { fileRoots: [folder] } };
      },
    },
  ],
  postgres: [
    {
      name: 'a server',
      prepare: async (t) => {
        const { url } = await createDatabase(t);
        const wrong = [
          { config: other(url, { pathname: '/none' }), fault: 'CONFIG', says: /no such database/ },
          { config: other(url, { port: '1' }), fault: 'UNAVAILABLE', says: /./ },
        ] as const;
        return { sample: { ...(await tables(t, 'postgres', { url, pool_size: 2 })), wrong } };
      },
    },
  ],
  mysql: [
    {
      name: 'MariaDB',
      skip: withoutMariadb(),
      prepare: async (t) => {
        const { url } = await createMariadbDatabase(t);
        const wrong = [
          {
            config: other(url, { pathname: '/none' }),
            fault: 'AUTH',
            says: /into the database: check its name/,
          },
          { config: other(url, { username: 'nobody', password: 's3cret-word' }), fault: 'AUTH', says: /./ },
          { config: other(url, { port: '1' }), fault: 'UNAVAILABLE', says: /./ },
        ] as const;
        return { sample: { ...(await tables(t, 'mysql', { url, pool_size: 2 })), wrong } };
      },
    },
  ],
};

familyConforms(t, PEERS);
