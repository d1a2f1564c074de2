import { type Db, MongoClient } from 'mongodb';
import t from 'tap';
import type { WrongConfig } from '../../../src/drivers/custom/interface.ts';
import type { Row } from '../../../src/drivers/driver.ts';
import { createMongoDatabase, withoutMongodb } from '../../support/ferretdb.ts';
import { startWireServer } from '../mongodb/wire-server.ts';
import { familyConforms, type Peers } from './conforms.ts';

const PEOPLE = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Bob' },
  { id: 3, name: null },
  { id: 4, name: 'Di' },
];
const find = (collection: string) => ({ method: 'find', args: { collection } });

/** A collection that is read and one for loads, with a key of its own beside the rows'. */
async function collections(config: Row, db: Db) {
  await db.collection('people').insertMany(PEOPLE.map((one) => ({ ...one })));
  const copy = db.collection('copy');
  const empty = async () => {
    await copy.deleteMany({});
    await copy.createIndex({ name: 1 }, { unique: true });
  };
  const wrong: readonly WrongConfig[] = [
    { config: { host: '127.0.0.1', port: 1, database: 'x' }, fault: 'UNAVAILABLE', says: /reach|connect/ },
  ];
  const write = { object: 'copy', read: find('copy'), empty, refused: { id: 9, name: 'one' } };
  return { config, read: find('people'), write, wrong };
}

const PEERS: Peers<'documents'> = {
  mongodb: [
    {
      name: 'FerretDB, or the server at MONGODB_URL',
      skip: withoutMongodb(),
      prepare: async (t) => {
        const { url, db } = await createMongoDatabase(t);
        return { sample: await collections({ url, pool_size: 1 }, db) };
      },
    },
    {
      name: 'a server of the protocol with transactions',
      prepare: async (t) => {
        const server = await startWireServer();
        t.teardown(() => server.close());
        const config = { host: '127.0.0.1', port: server.port, database: 'suite' };
        const client = await MongoClient.connect(`mongodb://127.0.0.1:${server.port}/?directConnection=true`);
        t.teardown(() => client.close());
        return { sample: await collections(config, client.db('suite')) };
      },
    },
  ],
  dummy: [
    {
      name: 'its own rows',
      // What is loaded into it is nowhere.
      except: {
        load: /the sample has no "write"/,
        'cancel: a load': /the sample has no "write"/,
        errors: /no row that must be refused/,
      },
      prepare: async () => ({
        sample: {
          config: { rows: PEOPLE },
          read: { method: 'list', args: {} },
          wrong: [
            { config: { rows: PEOPLE, fault: 'AUTH', message: 'refused' }, fault: 'AUTH', says: /^refused$/ },
          ],
        },
      }),
    },
  ],
};

familyConforms(t, PEERS);
