import { CONNECTOR_SUMS, RESULT_MEASUREMENTS, STEP_SUMS, STEP_VALUES } from './measurements.ts';

/** How an engine's SQL differs: names of tables, and of bound values. */
export interface SqlForm {
  /** Before each table's and index's name. */
  readonly prefix: string;
  /** The nth bound value, from 1. */
  readonly value: (n: number) => string;
  /** After the name of the points' table, where it is read for results: which index to take. */
  readonly byResultIndex: string;
}

/**
 * The points that results are made of; with an index of them alone the results of an attempt cost what they are made of, however
 * many other points it has.
 */
export const IS_OF_RESULT = `name in (${RESULT_MEASUREMENTS.map((name) => `'${name}'`).join(', ')})`;

export type MetricsSql = ReturnType<typeof metricsSql>;

/**
 * The statements over stored metrics, the same for SQLite and PostgreSQL. `points` holds what was reported, keyed so that a
 * replay changes nothing; the other tables are made from a run's points whenever some arrive, so that questions over months read
 * one short row for a run, step or connector.
 */
export function metricsSql({ prefix, value, byResultIndex }: SqlForm) {
  const [first, second, third] = [value(1), value(2), value(3)];
  const summed = (columns: object, from: string) => read(columns, from, (sum) => `coalesce(${sum}, 0)`);
  const valued = (columns: object, from: string) => read(columns, from, (sum) => sum);
  const named = (...columns: object[]) =>
    columns
      .flatMap((all) => Object.values(all))
      .map((name) => `'${name}'`)
      .join(', ');
  const ofTask = `where task_id = ${first} and at >= ${second}`;
  return {
    deletions: ['points', 'step_results', 'connector_results', 'runs'].map(
      (table) => `delete from ${prefix}${table} where run_id = ${first}`,
    ),
    oldRuns: `select run_id from ${prefix}runs where at < ${first} order by at limit ${second}`,
    /** The result of the newest attempt that has one. */
    deriveResult: `
      update ${prefix}runs as run set attempt = ${second}, at = result.at, status = result.status,
        duration_ms = result.duration_ms, items = result.items
      from (
        select max(at) as at, max(case name when 'task.duration_ms' then tags_json ->> 'status' end) as status,
          sum(case name when 'task.duration_ms' then value end) as duration_ms,
          coalesce(sum(case name when 'task.items_out' then value end), 0) as items
        from ${prefix}points ${byResultIndex} where run_id = ${first} and attempt = ${second} and ${IS_OF_RESULT}
          and name in ('task.duration_ms', 'task.items_out')) as result
      where run.run_id = ${first} and result.status is not null and coalesce(run.attempt, 0) <= ${second}`,
    deriveSteps: `
      insert into ${prefix}step_results
        (run_id, attempt, step, task_id, at, kind, ${listed(STEP_SUMS)}, ${listed(STEP_VALUES)})
      select p.run_id, p.attempt, p.subject, max(r.task_id), max(p.at), coalesce(max(tags_json ->> 'kind'), ''),
        ${summed(STEP_SUMS, 'p')}, ${valued(STEP_VALUES, 'p')}
      from ${prefix}points p ${byResultIndex} join ${prefix}runs r on r.run_id = p.run_id
      where p.run_id = ${first} and p.attempt = ${second} and ${IS_OF_RESULT} and p.subject <> ''
        and p.name in (${named(STEP_SUMS, STEP_VALUES)})
      group by p.run_id, p.attempt, p.subject
      on conflict (run_id, attempt, step) do update set task_id = excluded.task_id, at = excluded.at,
        kind = excluded.kind, ${replaced(STEP_SUMS)}, ${replaced(STEP_VALUES)}`,
    deriveConnectors: `
      insert into ${prefix}connector_results
        (run_id, attempt, connector, task_id, at, type, ${listed(CONNECTOR_SUMS)})
      select p.run_id, p.attempt, p.subject, max(r.task_id), max(p.at), coalesce(max(tags_json ->> 'type'), ''),
        ${summed(CONNECTOR_SUMS, 'p')}
      from ${prefix}points p ${byResultIndex} join ${prefix}runs r on r.run_id = p.run_id
      where p.run_id = ${first} and p.attempt = ${second} and ${IS_OF_RESULT} and p.subject <> ''
        and p.name in (${named(CONNECTOR_SUMS)})
      group by p.run_id, p.attempt, p.subject
      on conflict (run_id, attempt, connector) do update set task_id = excluded.task_id, at = excluded.at,
        type = excluded.type, ${replaced(CONNECTOR_SUMS)}`,
    daily: `
      select at / 86400000 as day, count(*) filter (where status in ('success', 'warning')) as success,
        count(*) filter (where status = 'error') as error,
        coalesce(avg(duration_ms) filter (where status in ('success', 'warning', 'error')), 0) as avg_duration_ms,
        cast(coalesce(sum(items), 0) as bigint) as total_items
      from ${prefix}runs ${ofTask} and status is not null
      group by at / 86400000 order by at / 86400000`,
    totals: `
      select count(*) as runs, ${['success', 'warning', 'error', 'cancelled', 'skipped']
        .map((status) => `count(*) filter (where status = '${status}') as ${status}`)
        .join(', ')},
        cast(coalesce(sum(items), 0) as bigint) as items, avg(duration_ms) as avg, max(duration_ms) as max
      from ${prefix}runs ${ofTask} and status is not null`,
    rank: `
      select duration_ms from ${prefix}runs ${ofTask} and status is not null
      order by duration_ms limit 1 offset ${third}`,
    taskSteps: `${steps(prefix)} ${ofTask} group by step order by step`,
    taskConnectors: `${connectors(prefix)} ${ofTask} group by connector order by connector`,
    runResult: `
      select attempt, status, duration_ms, cast(items as bigint) as items
      from ${prefix}runs where run_id = ${first} and status is not null`,
    runSteps: `${steps(prefix)} where run_id = ${first} group by step order by step`,
    runConnectors: `${connectors(prefix)} where run_id = ${first} group by connector order by connector`,
    runPoints: `
      select attempt, name, kind, value, cast(tags_json as text) as tags_json, at from ${prefix}points
      where run_id = ${first} order by attempt, batch_seq, idx limit ${second}`,
  };
}

function listed(columns: object): string {
  return Object.keys(columns).join(', ');
}

function replaced(columns: object): string {
  return Object.keys(columns)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
}

function read(columns: object, from: string, as: (sum: string) => string): string {
  return Object.entries(columns)
    .map(
      ([column, name]) =>
        `${as(`sum(case ${from}.name when '${name}' then ${from}.value end)`)} as ${column}`,
    )
    .join(', ');
}

/** Percentiles over several runs are those of each run, weighted by its items: near, and cheap. */
function steps(prefix: string): string {
  const weighted = (column: string) =>
    `case when sum(rows_in) filter (where ${column} is not null) > 0
       then sum(${column} * rows_in) / sum(rows_in) filter (where ${column} is not null) end as ${column}`;
  const whole = (column: string) => `cast(coalesce(sum(${column}), 0) as bigint) as ${column}`;
  return `
    select step, max(kind) as kind, count(*) as executions, avg(duration_ms) as avg_duration_ms,
      max(duration_ms) as max_duration_ms,
      case when sum(rows_in) > 0
        then sum(coalesce(item_ms * rows_in, duration_ms)) filter (where rows_in > 0) / sum(rows_in)
      end as avg_item_duration_ms,
      ${weighted('item_p50_ms')}, ${weighted('item_p95_ms')}, max(item_max_ms) as item_max_ms,
      cast(coalesce(max(in_flight_max), 0) as bigint) as in_flight_max,
      ${['rows_in', 'rows_out', 'errors', 'skipped'].map(whole).join(', ')}
    from ${prefix}step_results`;
}

function connectors(prefix: string): string {
  return `
    select connector, max(type) as type, cast(coalesce(sum(calls), 0) as bigint) as calls,
      coalesce(sum(duration_ms), 0) as duration_ms,
      case when sum(calls) > 0 then sum(duration_ms) / sum(calls) end as avg_call_ms,
      cast(coalesce(sum(errors), 0) as bigint) as errors
    from ${prefix}connector_results`;
}
