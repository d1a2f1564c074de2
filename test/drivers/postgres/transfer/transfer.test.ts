import t from 'tap';
import { openScene } from './scene.ts';

const COLUMNS = `id bigint, i2 smallint, i4 integer, r real, d double precision, n numeric, p numeric(12,3), b boolean, s text,
  v varchar(9), c char(5), y bytea, day date, tm time, tz time with time zone, at timestamp, moment timestamptz(3), iv interval,
  u uuid, j json, jb jsonb, a integer[], ta text[][], ip inet, bits bit varying(9), rg int4range`;
const ROWS = `(1, -32768, 2147483647, 0.1, 'NaN', '12345678901234567890.0123456789', 1.5, true, E'tab\\t\\\\N \\n"ż😀', 'x', 'ab',
   '\\x00ff', '5874897-12-31', '24:00:00', '23:59:59.999999+15:59', 'infinity', '4713-01-01 00:00:00+00 BC',
   '1 year -2 days 03:00:00.000001', '123e4567-e89b-12d3-a456-426614174000', '{"a" :  1.00}', '{"a": 1.00}', '{1,NULL,3}',
   '{{a,"b,c"},{NULL,"\\"\\\\"}}', '10.0.0.1/8', B'10101', '[1,5)'),
  (2, null, null, '-Infinity', -0.0, 'NaN', null, false, '', '', '', '', '0001-01-01 BC', '00:00:00', '00:00:00-15:59',
   '-infinity', 'infinity', '-1 second', null, 'null', 'null', '{}', '{}', '::1', B'', 'empty'),
  (null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`;
const TEXT = 'SELECT t::text AS row FROM t ORDER BY id NULLS LAST';

t.test(
  'values of every type arrive byte for byte, into tables that are there and into new ones',
  async (t) => {
    const scene = await openScene(t);
    await scene.source(`CREATE TABLE t (${COLUMNS}); INSERT INTO t VALUES ${ROWS}`);
    const expected = await scene.source(TEXT);
    for (const mode of ['append', 'replace', 'truncate_insert']) {
      await scene.target(`DROP TABLE IF EXISTS t; CREATE TABLE t (${COLUMNS})`);
      const made = await scene.run({ keys: `mode: ${mode}` });
      t.match(
        made,
        {
          status: 'success',
          isCopied: true,
          counts: [
            ['read', 3, 3],
            ['write', 3, 3],
          ],
        },
        mode,
      );
      t.strictSame(await scene.target(TEXT), expected, mode);
      await scene.target('DROP TABLE t');
      t.match(
        await scene.run({ keys: `mode: ${mode}` }),
        { status: 'success', isCopied: true },
        `${mode}, new`,
      );
      t.strictSame(await scene.target(TEXT), expected, `${mode}, new`);
    }
  },
);

t.test('keyed modes change, add and keep the rows that they would by batches', async (t) => {
  const scene = await openScene(t);
  await scene.source(
    `CREATE TABLE t (id int, s text); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (2, 'later')`,
  );
  const found = {
    merge: [
      { id: 1, s: 'a', kept: 'k' },
      { id: 2, s: 'later', kept: null },
    ],
    insert_only: [
      { id: 1, s: 'old', kept: 'k' },
      { id: 2, s: 'b', kept: null },
    ],
  };
  for (const [mode, rows] of Object.entries(found)) {
    for (const more of ['', ', on_error: dead_letter']) {
      await scene.target(
        `DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, s text, kept text); INSERT INTO t VALUES (1, 'old', 'k')`,
      );
      t.match(
        await scene.run({ keys: `mode: ${mode}, key: [id]${more}` }),
        { status: 'success', isCopied: true },
        mode,
      );
      t.strictSame(await scene.target('SELECT * FROM t ORDER BY id'), rows, mode + more);
    }
  }
  await scene.source('INSERT INTO t VALUES (null, null)');
  const made = await scene.run({ keys: 'mode: merge, key: [id], on_error: dead_letter' });
  t.match(made, { status: 'warning', isCopied: false });
  t.equal(made.letters, 1, 'a row without a key is told');
});

t.test('a row that the target refuses is found by batches, and kept as a dead letter', async (t) => {
  const scene = await openScene(t);
  await scene.source(
    `CREATE TABLE t (id int, n int); INSERT INTO t SELECT n, n FROM generate_series(1, 30000) n`,
  );
  await scene.target('CREATE TABLE t (id int, n int CHECK (n <> 20000))');
  const failed = await scene.run({ keys: 'mode: append' });
  t.match(failed, { status: 'error', failure: /20000/ });
  t.strictSame(await scene.target('SELECT count(*)::int AS n FROM t'), [{ n: 0 }]);
  const made = await scene.run({ keys: 'mode: append, on_error: dead_letter' });
  t.match(made, {
    status: 'warning',
    isCopied: false,
    counts: [
      ['read', 30_000, 30_000],
      ['write', 30_000, 29_999],
    ],
  });
  t.equal(made.letters, 1);
  t.strictSame(await scene.target('SELECT count(*)::int AS n FROM t'), [{ n: 29_999 }]);
});

t.test('where types do not prove that values stay as they are, rows come as batches', async (t) => {
  const scene = await openScene(t);
  await scene.source(
    `CREATE TYPE mood AS ENUM ('a'); CREATE TABLE t (v text, m mood); INSERT INTO t VALUES ('1.50', 'a')`,
  );
  for (const type of ['numeric(3,1)', 'varchar(9)', 'money', 'text']) {
    await scene.target(`DROP TABLE IF EXISTS t; CREATE TABLE t (v ${type}, m text)`);
    t.equal((await scene.run({ keys: 'mode: append' })).isCopied, false, type);
  }
  await scene.source(
    'DROP TABLE t; CREATE TABLE t (v integer, s varchar(5), n numeric(4,1)); INSERT INTO t VALUES (1, $$x$$, 2.5)',
  );
  await scene.target('DROP TABLE t; CREATE TABLE t (v bigint, s text, n numeric)');
  t.equal((await scene.run({ keys: 'mode: append' })).isCopied, true, 'more room and the same words');
  t.strictSame(await scene.target('SELECT t::text AS t FROM t'), [{ t: '(1,x,2.5)' }]);
  await scene.target(
    'DROP TABLE t; CREATE TABLE t (v integer GENERATED ALWAYS AS (5) STORED, s varchar(5), n numeric(4,1))',
  );
  t.equal((await scene.run({ keys: 'mode: append' })).isCopied, false, 'a column that the target computes');
  await scene.target('DROP TABLE t; CREATE TABLE t (v integer)');
  t.equal((await scene.run({ keys: 'mode: append' })).isCopied, false, 'columns that the target lacks');
  for (const more of ['audit: true', 'when: "item.v = 1"', 'schema: {types: freeze}']) {
    const { isCopied, failure } = await scene.run({ keys: `mode: append, ${more}` });
    t.equal(isCopied, false, `${more} ${failure}`);
  }
});

t.test(
  'a run that has committed appends nothing twice, and one without rows keeps the old ones',
  async (t) => {
    const scene = await openScene(t);
    await scene.source('CREATE TABLE t (id int); INSERT INTO t VALUES (1), (2)');
    await scene.target('CREATE TABLE t (id int)');
    for (const isCopied of [true, false])
      t.match(await scene.run({ keys: 'mode: append', runId: 7_000 }), { status: 'success', isCopied });
    t.strictSame(await scene.target('SELECT id FROM t ORDER BY 1'), [{ id: 1 }, { id: 2 }]);
    await scene.source('DELETE FROM t');
    t.match(await scene.run({ keys: 'mode: replace' }), {
      status: 'success',
      counts: [
        ['read', 0, 0],
        ['write', 0, 0],
      ],
    });
    t.strictSame(await scene.target('SELECT id FROM t ORDER BY 1'), [{ id: 1 }, { id: 2 }]);
    t.match(await scene.run({ keys: 'mode: replace, allow_empty: true' }), { status: 'success' });
    t.strictSame(await scene.target('SELECT id FROM t'), []);
  },
);

t.test('rows that a trigger drops are counted as such', async (t) => {
  const scene = await openScene(t);
  await scene.source('CREATE TABLE t (id int); INSERT INTO t SELECT n FROM generate_series(1, 100) n');
  await scene.target(`CREATE TABLE t (id int); CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN IF NEW.id % 10 = 0 THEN RETURN NULL; END IF; RETURN NEW; END'; CREATE TRIGGER skip BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION skip()`);
  const made = await scene.run({ keys: 'mode: append' });
  t.match(made, {
    status: 'success',
    isCopied: true,
    counts: [
      ['read', 100, 100],
      ['write', 100, 90],
    ],
  });
});

t.test('a source that fails in the middle leaves the target as it was', async (t) => {
  const scene = await openScene(t);
  await scene.target('CREATE TABLE t (id int, s text); INSERT INTO t VALUES (0, $$old$$)');
  const sql = `SELECT n AS id, repeat('x', 1000) || (1 / (100000 - n)) AS s FROM generate_series(1, 100000) n`;
  const made = await scene.run({ sql, keys: 'mode: append' });
  t.match(made, { status: 'error', failure: /division by zero/ });
  t.strictSame(await scene.target('SELECT id FROM t'), [{ id: 0 }]);
  t.match(await scene.run({ sql: sql.replace('100000 - n', '2000000 - n'), keys: 'mode: append' }), {
    status: 'success',
    isCopied: true,
  });
  t.strictSame(await scene.target('SELECT count(*)::int AS n, max(length(s)) AS l FROM t'), [
    { n: 100_001, l: 1_001 },
  ]);
});

t.test('long values pass, in messages of any length', async (t) => {
  const scene = await openScene(t);
  const sql = `SELECT n AS id, repeat(chr(65 + n), n * 300001) AS s FROM generate_series(0, 20) n`;
  await scene.target('CREATE TABLE t (id int, s text)');
  t.match(await scene.run({ sql, keys: 'mode: append' }), { status: 'success', isCopied: true });
  const sum =
    'SELECT count(*)::int AS n, sum(length(s))::int AS l, md5(string_agg(s, $$$$ ORDER BY id)) AS m FROM';
  t.strictSame(await scene.target(`${sum} t`), await scene.source(`${sum} (${sql}) t`));
});

t.test('a cancelled run ends both statements, and leaves the target as it was', async (t) => {
  const scene = await openScene(t);
  await scene.target('CREATE TABLE t (id int, s text)');
  const abort = new AbortController();
  const sql = `SELECT n AS id, repeat('x', 1000) AS s FROM generate_series(1, 100000000) n`;
  const made = await scene.run({
    sql,
    keys: 'mode: append',
    signal: abort.signal,
    onRows: (rows) => rows > 0 && abort.abort(),
  });
  t.not(made.status, 'success');
  for (let look = 0; look < 100; look++) {
    const busy = await scene.target(
      `SELECT FROM pg_stat_activity WHERE query LIKE 'COPY (SELECT n AS%' AND state = 'active'`,
    );
    if (busy.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  t.strictSame(
    await scene.target(
      `SELECT query FROM pg_stat_activity WHERE query LIKE '%COPY%' AND state = 'active' AND pid <> pg_backend_pid()`,
    ),
    [],
  );
  t.strictSame(await scene.target('SELECT * FROM t'), []);
});
