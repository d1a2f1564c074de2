import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { type Conditions, type Connection, ConnectorError, type Row } from '../../../src/drivers/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { onEachDatabase } from '../../engine/support/sql-targets.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { execute, never } from '../sql/engines.ts';

const TENANTS = ['a', 'b', 'c', null] as const;
const ROWS = Array.from({ length: 24 }, (_, i) => ({
  id: i + 1,
  tenant: TENANTS[i % 4] ?? null,
  age: i % 5 === 4 ? null : (i * 7) % 11,
}));

/** What each scope operator means, told without SQL. */
const MEANING: Readonly<Record<string, (value: never, operand: never) => boolean>> = {
  eq: (value, operand) => value === operand,
  ne: (value, operand) => value !== null && value !== operand,
  gte: (value, operand) => value !== null && value >= operand,
  lt: (value, operand) => value !== null && value < operand,
  in: (value, operand: readonly unknown[]) => operand.includes(value),
  is_null: (value, operand) => (value === null) === operand,
};

function isInside(row: Row, scope: Conditions): boolean {
  return Object.entries(scope).every(([column, wanted]) => {
    const operators =
      wanted !== null && typeof wanted === 'object' ? Object.entries(wanted) : [['eq', wanted]];
    return operators.every(([operator, operand]) => {
      return MEANING[operator as string]?.(row[column] as never, operand as never);
    });
  });
}

const tenant = fc.constantFrom('a', 'b', 'c');
const age = fc.integer({ min: 0, max: 10 });
const scopes = fc
  .record(
    {
      tenant: fc.oneof(
        fc.constantFrom(...TENANTS),
        fc.record({ ne: tenant }),
        fc.record({ in: fc.array(fc.constantFrom(...TENANTS), { maxLength: 3 }) }),
        fc.record({ is_null: fc.boolean() }),
      ),
      age: fc.oneof(age, fc.record({ gte: age, lt: age }, { requiredKeys: ['gte'] })),
    },
    { requiredKeys: [] },
  )
  .filter((scope) => Object.keys(scope).length > 0);

/** Objects whose keys are their own, whatever they are called. */
function objects<T>(keys: fc.Arbitrary<string>, values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.array(fc.tuple(keys, values), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

const HOSTILE = ['__proto__', 'constructor', 'toString', '$or', '$and', 'or', 'not', 'nosuch', 'Tenant', ''];
const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'is_null', 'and', 'or', '$ne'];
const scalars = fc.oneof(fc.constantFrom<unknown>('a', 'b', 'c', null, true, "' OR 1=1 --"), age);
const { condition } = fc.letrec<{ condition: unknown }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'condition' },
    { weight: 3, arbitrary: scalars },
    { weight: 4, arbitrary: objects(fc.constantFrom(...OPERATORS, '__proto__'), tie('condition')) },
    { weight: 1, arbitrary: fc.array(tie('condition'), { maxLength: 3 }) },
    { weight: 3, arbitrary: fc.record({ and: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }) }) },
    { weight: 3, arbitrary: fc.record({ ne: scalars }) },
  ),
}));
const filters = objects(
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom('tenant', 'age', 'id') }, fc.constantFrom(...HOSTILE)),
  condition,
);

async function listed(connection: Connection, args: unknown): Promise<readonly unknown[] | 'refused'> {
  const ids: unknown[] = [];
  try {
    for await (const batch of connection.read({ method: 'list', args, signal: never }))
      ids.push(...batch.rows.map((row) => row['id']));
  } catch (error) {
    if (error instanceof ConnectorError && error.fault === 'CONFIG') return 'refused';
    throw error;
  }
  return ids;
}

onEachDatabase(t, {}, async (t, { connector, connection }) => {
  const driver = allDrivers.get(connector.type);
  if (driver === undefined) throw new Error(`There is no driver "${connector.type}"`);
  await execute(connection, 'CREATE TABLE shop (id integer PRIMARY KEY, tenant text, age integer)');
  await connection.call('insert', { table: 'shop', rows: ROWS }, never);

  t.test(
    'a list gives what it would give of the rows inside the scope alone, whatever its own filter',
    async (t) => {
      let compared = 0;
      const property = fc.asyncProperty(scopes, filters, async (scope, filter) => {
        const args = { table: 'shop', filter, sort: ['id'] };
        const own = await listed(connection, args);
        const found = await listed(connection, scopeArgs(driver, 'list', args, scope));
        if (own === 'refused') return found === 'refused';
        compared += 1;
        const inside = ROWS.filter((row) => isInside(row, scope)).map((row) => row.id);
        const wanted = inside.filter((id) => own.includes(id));
        return isDeepStrictEqual(found, wanted);
      });
      await fc.assert(property, { numRuns: fewOrAll(150, 600) });
      t.ok(compared > fewOrAll(30, 100), `${compared} filters were no errors`);
    },
  );

  t.test('a count, a key and a page are scoped as a list is', async () => {
    const property = fc.asyncProperty(scopes, tenant, age, async (scope, ownTenant, ownAge) => {
      const filter = { tenant: ownTenant, age: { gte: ownAge } };
      const args = { table: 'shop', filter };
      const wanted = ROWS.filter(
        (row) => isInside(row, scope) && row.tenant === ownTenant && row.age !== null && row.age >= ownAge,
      );
      const count = await connection.call('count', scopeArgs(driver, 'count', args, scope), never);
      const list = driver.methods.find(({ name }) => name === 'list');
      const view = list?.pageOf?.(scopeArgs(driver, 'list', args, scope));
      const page = view && (await connection.page({ ...view, limit: 100, signal: never }));
      const key = scopeArgs(driver, 'get', { table: 'shop', key: { id: ownAge + 1 } }, scope);
      const row = await connection.call('get', key, never);
      const wantedRow = ROWS.find(({ id }) => id === ownAge + 1);
      return isDeepStrictEqual(
        [count, page?.rows, row],
        [wanted.length, wanted, wantedRow && isInside(wantedRow, scope) ? wantedRow : null],
      );
    });
    await fc.assert(property, { numRuns: fewOrAll(50, 300) });
  });
});
