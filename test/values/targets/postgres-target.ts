import pg from 'pg';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { createDatabase } from '../../support/postgres.ts';
import type { Reads } from '../meaning.ts';
import { TYPED_READS } from '../new-tables.ts';
import type { TargetColumn, TypedTarget } from '../target.ts';

const TYPES: readonly (readonly [declared: string, reads: Reads])[] = [
  ['smallint', 'number'],
  ['integer', 'number'],
  ['bigint', 'number'],
  ['numeric', 'number'],
  ['numeric(10,2)', 'number'],
  ['numeric(5,0)', 'number'],
  ['real', 'single'],
  ['double precision', 'double'],
  ['boolean', 'truth'],
  ['text', 'text'],
  ['varchar(5)', 'text'],
  ['char(5)', 'padded'],
  ['name', 'text'],
  ['mood', 'text'],
  ['price', 'number'],
  ['date', 'day'],
  ['time', 'time'],
  ['time(3)', 'time'],
  ['timetz', 'time with zone'],
  ['timestamp', 'moment'],
  ['timestamp(3)', 'moment'],
  ['timestamptz', 'moment'],
  ['timestamptz(0)', 'moment'],
  ['bytea', 'bytes'],
  ['uuid', 'uuid'],
  ['json', 'json'],
  ['jsonb', 'json'],
  ['bit(4)', 'bits'],
  ['bit varying(4)', 'bits'],
  ['integer[]', 'list'],
  ['numeric(10,2)[]', 'list'],
  ['text[]', 'list'],
];

const SPECIAL_NAMES: Readonly<Record<string, string>> = {
  mood: "an enum of 'sad', 'ok'",
  price: 'a domain over numeric(5,2)',
};

function shownBy({ reads }: TargetColumn): string {
  if (reads === 'bytes') return "encode(v, 'hex')";
  return reads === 'list' ? 'array_to_json(v)::text' : 'v::text';
}

export const postgresTarget: TypedTarget = {
  name: 'PostgreSQL',
  skip: false,
  columns: TYPES.map(([declared, reads]) => ({ name: SPECIAL_NAMES[declared] ?? declared, declared, reads })),
  newReads: TYPED_READS,
  open: async (t) => {
    const { url } = await createDatabase(t);
    const connection = await postgresDriver.connect(
      { url },
      { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 5_000 },
    );
    t.teardown(() => connection.close());
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.teardown(() => client.end());
    await client.query(
      `SET timezone = 'UTC'; CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN price AS numeric(5,2)`,
    );
    return {
      connection,
      create: async (table, { declared }) => {
        await client.query(
          `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id bigint PRIMARY KEY, v ${declared})`,
        );
      },
      drop: async (table) => {
        await client.query(`DROP TABLE IF EXISTS ${table}`);
      },
      shown: async (table, column) => {
        const { rows } = await client.query(`SELECT id, ${shownBy(column)} AS shown FROM ${table}`);
        return new Map(rows.map(({ id, shown }) => [Number(id), shown]));
      },
    };
  },
};
