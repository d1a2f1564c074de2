import { type RawBuilder, sql } from 'kysely';
import { type ConnectorUse, joinedUse } from '../../base/connectors/connector-use.ts';
import type { Dialect, RowColumns } from '../../store/dialect.ts';
import { storableText } from '../../store/storable-text.ts';
import type { Tx } from '../../store/store.ts';
import { bucketOf, type RecordedUse } from './connector-health.ts';

const CODE_CHARS_MAX = 64;
const MESSAGE_CHARS_MAX = 1_000;

const BUCKET: RowColumns = {
  connector_id: 'bigint',
  source: 'text',
  calls: 'bigint',
  errors: 'bigint',
  ms: 'bigint',
};
const HEALTH: RowColumns = {
  connector_id: 'bigint',
  last_success_at: 'bigint',
  unreachable_since: 'bigint',
  last_error_at: 'bigint',
  error_code: 'text',
  error_message: 'text',
  error_source: 'text',
  error_run_id: 'bigint',
  error_job_id: 'bigint',
  last_test_at: 'bigint',
  test_ok: 'bigint',
  test_message: 'text',
};

/**
 * Adds uses to the buckets of `now` and to what is known of each connector, with two statements whatever their number. Ids of
 * connectors that are not there are passed over.
 */
export async function recordUses(
  tx: Tx,
  dialect: Dialect,
  uses: readonly RecordedUse[],
  now: number,
): Promise<void> {
  if (uses.length === 0) return;
  await dialect.together(tx, [
    addCalls(dialect, bucketsOf(uses), bucketOf(now)),
    mergeHealth(dialect, healthOf(uses, now), now),
  ]);
}

/** One for each connector and source. */
function bucketsOf(uses: readonly RecordedUse[]): object[] {
  const sums = new Map<string, ConnectorUse & { readonly source: string }>();
  for (const { use, source } of uses) {
    const key = `${use.connector_id}/${source}`;
    const known = sums.get(key);
    sums.set(key, { ...(known === undefined ? use : joinedUse(known, use)), source });
  }
  return [...sums.values()].map(({ connector_id, source, calls, errors, ms }) => ({
    connector_id,
    source,
    calls,
    errors,
    ms,
  }));
}

interface Health {
  readonly use: ConnectorUse;
  /** The use that the last error is of. */
  readonly of: RecordedUse;
  readonly test: RecordedUse['test'];
}

/** One for each connector. Clocks of executors may be ahead: nothing happens later than now. */
function healthOf(uses: readonly RecordedUse[], now: number): object[] {
  const known = new Map<number, Health>();
  for (const recorded of uses) {
    const { use, test } = recorded;
    const before = known.get(use.connector_id);
    const joined = before === undefined ? use : joinedUse(before.use, use);
    const isNewest = before === undefined || joined.last_error !== before.use.last_error;
    known.set(use.connector_id, {
      use: joined,
      of: isNewest ? recorded : before.of,
      test: test ?? before?.test,
    });
  }
  const until = (at: number) => Math.min(at, now);
  return [...known.values()].map(({ use, of, test }) => ({
    connector_id: use.connector_id,
    last_success_at: until(use.last_success_at),
    unreachable_since: until(use.unreachable_since),
    last_error_at: until(use.last_error?.at ?? 0),
    error_code: storableText(use.last_error?.code ?? '', CODE_CHARS_MAX),
    error_message: storableText(use.last_error?.message ?? '', MESSAGE_CHARS_MAX),
    error_source: of.source,
    error_run_id: of.run_id,
    error_job_id: of.job_id,
    last_test_at: until(test?.at ?? 0),
    test_ok: test?.ok === true ? 1 : 0,
    test_message: storableText(test?.message ?? '', MESSAGE_CHARS_MAX),
  }));
}

/** In the order of their ids, so that two of these never wait for each other. */
function addCalls(dialect: Dialect, rows: readonly object[], bucketAt: number): RawBuilder<unknown> {
  return sql`insert into connector_calls (connector_id, bucket_at, source, calls, errors, ms)
    select connector_id, cast(${bucketAt} as bigint), source, calls, errors, ms
    from ${dialect.rows(BUCKET, rows)} as given
    where exists (select 1 from connectors where connectors.id = given.connector_id)
    order by connector_id, source
    on conflict (connector_id, bucket_at, source) do update set calls = connector_calls.calls + excluded.calls,
      errors = connector_calls.errors + excluded.errors, ms = connector_calls.ms + excluded.ms`;
}

function mergeHealth(dialect: Dialect, rows: readonly object[], now: number): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(HEALTH).map((name) => sql.ref(name)));
  const old = (name: string) => sql.ref(`connector_health.${name}`);
  const given = (name: string) => sql.ref(`excluded.${name}`);
  const latest = (name: string) =>
    sql`case when ${given(name)} > ${old(name)} then ${given(name)} else ${old(name)} end`;
  const ofLatest = (time: string, names: readonly string[]) =>
    sql.join(
      names.map(
        (name) =>
          sql`${sql.ref(name)} = case when ${given(time)} > 0 and ${given(time)} >= ${old(time)}
            then ${given(name)} else ${old(name)} end`,
      ),
    );
  const stays = sql`connector_health.unreachable_since > 0
    and connector_health.unreachable_since >= excluded.last_success_at`;
  const begins = sql`excluded.unreachable_since > 0
    and excluded.unreachable_since >= connector_health.last_success_at`;
  const error = ['error_code', 'error_message', 'error_source', 'error_run_id', 'error_job_id'];
  return sql`insert into connector_health (first_used_at, recovered_at, ${columns})
    select cast(${now} as bigint), 0, ${columns} from ${dialect.rows(HEALTH, rows)} as given
    where exists (select 1 from connectors where connectors.id = given.connector_id)
    order by connector_id
    on conflict (connector_id) do update set
      last_success_at = ${latest('last_success_at')},
      unreachable_since = case
        when ${stays} and (${begins}) and excluded.unreachable_since < connector_health.unreachable_since
          then excluded.unreachable_since
        when ${stays} then connector_health.unreachable_since
        when ${begins} then excluded.unreachable_since else 0 end,
      recovered_at = case when connector_health.unreachable_since > 0 and not (${stays}) and not (${begins})
        then excluded.last_success_at else connector_health.recovered_at end,
      last_error_at = ${latest('last_error_at')},
      ${ofLatest('last_error_at', error)},
      last_test_at = ${latest('last_test_at')},
      ${ofLatest('last_test_at', ['test_ok', 'test_message'])}`;
}
