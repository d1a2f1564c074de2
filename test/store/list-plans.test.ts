import { CompiledQuery, sql } from 'kysely';
import t from 'tap';
import { OLDEST_SQL } from '../../src/modules/run-logs/sqlite/run-log-prune-sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { DEFINITION_LISTS, fillDefinitions, SEARCHES } from '../support/definition-lists.ts';
import { fewOrAll } from '../support/fault-list.ts';
import { faultsInPostgres, faultsInSqlite, statementsOf } from '../support/query-plans.ts';
import { fillRunLists, type ListRequest, LOG_REQUESTS, RUN_LISTS, requestsOf } from '../support/run-lists.ts';
import { eachStore, openTestStore } from '../support/stores.ts';

const ROWS = 5_000;

t.setTimeout(400_000);

/**
 * Sorting costs nothing where there are few rows: a job run's, and those of two filters at once that PostgreSQL takes to be few.
 */
const maySort = ({ filters }: ListRequest, isPostgres: boolean) =>
  filters['job_run_id'] !== undefined || (isPostgres && Object.keys(filters).length > 1);

t.test('a sweep of logs passes none of the attempts that have lost their lines', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { rows } = await store.logs.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${OLDEST_SQL}`, [0, 0, 0, 1]),
  );
  t.match(rows, [{ detail: /^SEARCH .*run_log_cursors_unpruned/ }]);
});

t.test('runs by status of a job or task are found by both, on each page', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  for (const { name, filters, paging, select } of RUN_LISTS.flatMap((list) => requestsOf(list, ROWS))) {
    const keys = Object.keys(filters).join();
    if (!/^status,(job_id|task_id)$/.test(keys) || paging.column !== 'id') continue;
    for (const { sql: text, parameters } of await statementsOf(store.read, select)) {
      const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
      const { rows } = await store.read.executeQuery<{ detail: string }>(explain);
      t.match(rows[0]?.detail, / \((job_id|task_id)=\? AND status=\?/, name);
    }
  }
});

t.test('every list of what grows with runs is read by an index, in its order', async (t) => {
  await eachStore(t, 'whatever it is filtered and sorted by', async (t, store) => {
    const isPostgres = store.dialect.name === 'postgres';
    if (isPostgres) {
      await fillRunLists(store, ROWS);
      await store.write((tx) => sql`analyze`.execute(tx));
    }
    const faultsOf = isPostgres ? faultsInPostgres : faultsInSqlite;
    await store.snapshot(async (db) => {
      // Rows that are read in vain weigh as they would among millions.
      if (isPostgres) await sql`set local cpu_tuple_cost = 100`.execute(db);
      for (const request of RUN_LISTS.flatMap((list) => requestsOf(list, ROWS))) {
        for (const statement of await statementsOf(db, request.select)) {
          const faults = await faultsOf(db, statement);
          const sorted = maySort(request, isPostgres)
            ? faults.filter((fault) => !/B-TREE|Sort/.test(fault))
            : faults;
          if (sorted.length > 0) t.fail(request.name, { faults, statement: statement.sql });
        }
      }
    });
    // PostgreSQL has no partition of lines yet.
    for (const request of isPostgres ? [] : LOG_REQUESTS)
      for (const statement of await statementsOf(store.logs, request.select))
        t.same(await faultsOf(store.logs, statement), [], request.name);
  });
});

const DEFINITIONS = fewOrAll(2_000, 30_000);

/** A store with so many rows of each kind; SQLite, which counts none, plans without them as it does with them. */
async function filled(store: Store): Promise<void> {
  if (store.dialect.name === 'sqlite' && DEFINITIONS < 30_000) return;
  await fillDefinitions(store, DEFINITIONS);
  if (store.dialect.name === 'postgres') await store.write((tx) => sql`analyze`.execute(tx));
}

t.test('every list of definitions is read by an index, in its order', async (t) => {
  await eachStore(t, 'whatever it is filtered, sorted and searched by', async (t, store) => {
    const isPostgres = store.dialect.name === 'postgres';
    await filled(store);
    const faultsOf = isPostgres ? faultsInPostgres : faultsInSqlite;
    let checked = 0;
    await store.snapshot(async (db) => {
      if (isPostgres) await sql`set local cpu_tuple_cost = 100`.execute(db);
      for (const request of DEFINITION_LISTS.flatMap((list) => requestsOf(list, DEFINITIONS))) {
        const filters = Object.keys(request.filters).length;
        for (const statement of await statementsOf(db, request.select)) {
          const faults = await faultsOf(db, statement, filters > 0);
          // Rows that PostgreSQL takes to be few, those of two filters at once, it sorts, or finds by two indexes together.
          const serious =
            filters > 1 && isPostgres
              ? faults.filter((fault) => !/^(Sort|Bitmap Index Scan)/.test(fault))
              : faults;
          checked += 1;
          if (serious.length > 0) t.fail(request.name, { faults, statement: statement.sql });
        }
      }
      const paging = { column: 'name', descending: false, after: null, limit: 5, bound: '' } as const;
      for (const [table, search] of Object.entries(SEARCHES))
        for (const statement of await statementsOf(db, (watched) =>
          search(watched, { q: 'ME 1999' }, paging),
        )) {
          const whole = new RegExp(`^SCAN ${table}$|^Seq Scan`);
          const faults = (await faultsOf(db, statement, false)).filter((fault) => whole.test(fault));
          checked += 1;
          t.same(faults, [], `${table} by q`);
        }
    });
    t.ok(checked > 300, `${checked} statements`);
  });
});
