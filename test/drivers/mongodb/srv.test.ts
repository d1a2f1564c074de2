import t from 'tap';
import { answerNames } from '../../support/dns-server.ts';
import { createMongoDatabase, withoutMongodb } from '../../support/ferretdb.ts';
import { fault, never } from '../sql/engines.ts';
import { connectTo, context, rowsOf } from './mongo-database.ts';
import { startWireServer } from './wire-server.ts';

const CLUSTER = 'cluster.headgate.test';
const SRV = `SRV _mongodb._tcp.${CLUSTER}`;
const HOST = 'member.headgate.test';
const A = { [`A ${HOST}`]: ['127.0.0.1'] };

t.test('documents are read from the server that SRV records name', { skip: withoutMongodb() }, async (t) => {
  const { url, name, db } = await createMongoDatabase(t);
  await answerNames(t, { ...A, [SRV]: [`${new URL(url).port} ${HOST}`] });
  await db.collection('people').insertMany([{ id: 1 }, { id: 2 }]);
  const connection = await connectTo(t, { url: `mongodb+srv://${CLUSTER}/${name}?tls=false` });
  t.match(await connection.test(never), /MongoDB/);
  t.equal((await rowsOf(connection, 'find', { collection: 'people' })).length, 2);
});

t.test('options of a TXT record count, unless the configuration says otherwise', async (t) => {
  const asked: unknown[] = [];
  const server = await startWireServer({
    answer: (name, command) => {
      if (name !== 'saslStart') return undefined;
      asked.push(command['$db']);
      return { ok: 0, code: 18, errmsg: 'Authentication failed.' };
    },
  });
  t.teardown(() => server.close());
  const zone = { ...A, [SRV]: [`${server.port} ${HOST}`] };
  await answerNames(t, { ...zone, [`TXT ${CLUSTER}`]: ['authSource=people'] });
  const url = `mongodb+srv://u:p@${CLUSTER}/d?tls=false`;
  for (const config of [{ url }, { url: `${url}&authSource=own` }, { url, auth_source: 'given' }])
    await t.rejects((await connectTo(t, config)).test(never), fault('AUTH', /refused the user/));
  t.strictSame([...new Set(asked)], ['people', 'own', 'given']);
});

t.test('without a TXT record, users are those of "admin"', async (t) => {
  const asked: unknown[] = [];
  const server = await startWireServer({
    answer: (name, command) => {
      if (name === 'saslStart') asked.push(command['$db']);
      return name === 'saslStart' ? { ok: 0, code: 18, errmsg: 'Authentication failed.' } : undefined;
    },
  });
  t.teardown(() => server.close());
  await answerNames(t, { ...A, [SRV]: [`${server.port} ${HOST}`] });
  const connection = await connectTo(t, { url: `mongodb+srv://u:p@${CLUSTER}/d?tls=false` });
  await t.rejects(connection.test(never), fault('AUTH', /refused the user/));
  t.strictSame([...new Set(asked)], ['admin']);
});

t.test('records that lead nowhere, elsewhere, or to where nobody may go are told', async (t) => {
  const txt = (text: string) => ({ [`TXT ${CLUSTER}`]: [text] });
  const to = { [SRV]: [`1 ${HOST}`] };
  const cases: readonly (readonly [string, Record<string, string[]>, RegExp])[] = [
    ['UNAVAILABLE', A, /No server has this host name/],
    ['UNAVAILABLE', { ...A, ...to }, /nothing listens at this port/],
    ['CONFIG', { ...A, [SRV]: ['1 elsewhere.test'] }, /does not share hostname with parent URI/],
    ['CONFIG', { ...A, ...to, ...txt('tlsInsecure=true') }, /Text record may only set/],
    ['CONFIG', { [`A ${HOST}`]: ['169.254.169.254'], ...to }, /The server may not connect to "member/],
    ['UNAVAILABLE', to, /No server has this host name/],
  ];
  for (const [code, zone, message] of cases)
    await t.test(`${message}`, async (t) => {
      await answerNames(t, zone);
      const connection = await connectTo(
        t,
        { url: `mongodb+srv://${CLUSTER}/d?tls=false`, connect_timeout_ms: 3_000 },
        context,
      );
      const error = await connection.test(never).then(
        () => null,
        (error: unknown) => error,
      );
      t.match(error, fault(code as 'CONFIG', message));
    });
});
