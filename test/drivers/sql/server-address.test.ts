import t from 'tap';
import { mysqlConfig, addressOf as ofMysql } from '../../../src/drivers/mysql/config.ts';
import { addressOf as ofPostgres, postgresConfig } from '../../../src/drivers/postgres/config.ts';

const postgres = (config: Record<string, unknown>) => ofPostgres(postgresConfig.parse(config));
const mysql = (config: Record<string, unknown>) => ofMysql(mysqlConfig.parse(config));

t.test('a URL is read with its escapes, and the keys beside it take precedence', async (t) => {
  t.same(postgres({ url: 'postgresql://ada:p%2Fw%3A%25@[::1]:5433/shop%20two?sslmode=verify-full' }), {
    host: '::1',
    port: 5433,
    database: 'shop two',
    user: 'ada',
    password: 'p/w:%',
    ssl: 'verify-full',
  });
  t.same(postgres({ url: 'postgres://ada@db' }), {
    host: 'db',
    port: 5432,
    database: 'ada',
    user: 'ada',
    password: undefined,
    ssl: 'disable',
  });
  const beside = { database: 'shop', user: 'ada', password: 'p/w', ssl: 'require' };
  t.same(mysql({ url: 'mysql://other:old@db/reports?ssl=verify-full', ...beside }), {
    host: 'db',
    port: 3306,
    ...beside,
  });
});

t.test('a URL that cannot be used says why, without any part of a password', async (t) => {
  for (const url of [
    'db.example.com',
    'http://ada@db/shop',
    'postgres:///shop',
    'postgres://ada:s3/cret@db/shop',
    'postgres://ada:12/s3cret@db/shop',
    'postgres://ada:12?s3cret@db/shop',
    'postgres://ada:12#s3cret@db/shop',
  ]) {
    const reason = postgres({ url });
    t.match(reason, /^The "url" is not a PostgreSQL URL: .*Escape special characters .* "password"$/, url);
    t.notMatch(reason, /cret|ada/);
  }
  t.match(postgres({ url: 'postgres://ada:100%@db/shop' }), /"%" that is not an escape/);
  t.match(mysql({ url: 'mysql://ada@db' }), /^Give a database/);
});

t.test('an option that would do nothing is refused: it may be one that was to encrypt', async (t) => {
  for (const [reason, option] of [
    [postgres({ url: 'postgres://ada@db/shop?ssl=require' }), 'ssl'],
    [mysql({ url: 'mysql://ada@db/shop?sslmode=require' }), 'sslmode'],
    [mysql({ url: 'mysql://ada@db/shop?ssl=require&sslMode=require' }), 'sslMode'],
  ] as const)
    t.match(reason, `has the option "${option}", which is not offered; there is ssl`);
  t.equal(
    postgres({ url: 'postgres://ada@db/shop?sslmode=prefer' }),
    'The option "sslmode" of the "url" takes disable, require, verify-full, not "prefer"',
  );
});
