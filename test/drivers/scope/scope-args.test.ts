import t from 'tap';
import { z } from 'zod';
import type { Driver } from '../../../src/drivers/driver.ts';
import type { MethodScope } from '../../../src/drivers/scope/method-scope.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { allDrivers } from '../../support/all-drivers.ts';

const drivers = allDrivers;

function driverNamed(type: string): Driver {
  const driver = drivers.get(type);
  if (driver === undefined) throw new Error(`no driver "${type}"`);
  return driver;
}

/** A driver as it describes itself, with one method of this scope. */
function withScope(scope: MethodScope): Driver {
  const method = { name: 'call', summary: '', kind: 'rows', args: z.looseObject({}), scope } as const;
  return { ...driverNamed('dummy'), methods: [method] };
}

/** Under a scope they are refused. */
const UNSCOPED = [
  'dummy echo',
  'http get',
  'unified_api accounts',
  'business_app get',
  'business_app function',
  'airbyte read',
  'airbyte spec',
  'singer read',
];

t.test(
  'each method that reads says how a scope limits it, apart from an echo, which reads nothing, and answers that are no rows',
  async (t) => {
    for (const driver of drivers.types()) {
      for (const { name, kind, scope } of driver.methods) {
        if (kind === 'write' || UNSCOPED.includes(`${driver.type} ${name}`))
          t.equal(scope, undefined, `${driver.type} ${name}`);
        else t.ok(scope, `${driver.type} ${name}`);
      }
    }
  },
);

t.test('a call is refused where a scope cannot be applied, and left alone where there is none', async (t) => {
  const dummy = driverNamed('dummy');
  const args = { value: 1 };
  t.throws(() => scopeArgs(dummy, 'echo', args, { tenant: 'a' }), {
    fault: 'CONFIG',
    message: 'A scope cannot be applied to "echo" of a "dummy" connector; set "scope: null" on the widget',
  });
  t.equal(scopeArgs(dummy, 'echo', args, {}), args);
  t.equal(scopeArgs(dummy, 'record', args, { tenant: 'a' }), args, 'a call that writes is refused as such');
  t.equal(
    scopeArgs(driverNamed('sqlite'), 'query', args, { tenant: 'a' }),
    args,
    'a statement is not scoped',
  );
});

t.test('fields of a scope win over arguments of the same name', async (t) => {
  const driver = withScope({ kind: 'args' });
  const own: unknown = JSON.parse('{"account": "other", "limit": 3, "__proto__": {"account": "third"}}');
  const scoped = scopeArgs(driver, 'call', own, { account: 'mine', region: { in: ['eu'] } });
  t.equal(
    JSON.stringify(scoped),
    '{"account":"mine","limit":3,"__proto__":{"account":"third"},"region":{"in":["eu"]}}',
  );
  t.strictSame(scopeArgs(driver, 'call', undefined, { account: 'mine' }), { account: 'mine' });
});

t.test('a scope of which a part is nothing is refused, as one condition less would show more', async (t) => {
  const kinds: readonly MethodScope[] = [
    { kind: 'args' },
    { kind: 'conditions', arg: 'filter' },
    { kind: 'document', arg: 'filter' },
    { kind: 'pipeline', arg: 'stages' },
  ];
  const unfit = [
    { tenant: undefined },
    { tenant: 'a', age: { gte: undefined, lt: 5 } },
    { tenant: { in: ['a', undefined] } },
    JSON.parse('{"tenant": "a", "__proto__": "b"}'),
  ];
  for (const scope of kinds) {
    const driver = withScope(scope);
    for (const fields of unfit)
      t.throws(() => scopeArgs(driver, 'call', {}, fields), { fault: 'CONFIG', message: /has no value/ });
    for (const args of [[], 'x', 1])
      t.throws(() => scopeArgs(driver, 'call', args, { tenant: 'a' }), { message: /are not an object/ });
    t.strictSame(scopeArgs(driver, 'call', { keep: 1 }, { tenant: null }) as object, {
      keep: 1,
      ...(scopeArgs(driver, 'call', {}, { tenant: null }) as object),
    });
  }
});

t.test('conditions on the same column are joined, not replaced', async (t) => {
  const driver = withScope({ kind: 'conditions', arg: 'filter' });
  const filter = { tenant: { eq: 'b' }, age: { gte: 1 }, city: 'x' };
  t.strictSame(scopeArgs(driver, 'call', { filter }, { tenant: 'a', age: { gte: 18 } }), {
    filter: {
      tenant: { and: ['a', { eq: 'b' }] },
      age: { and: [{ gte: 18 }, { gte: 1 }] },
      city: 'x',
    },
  });
  t.throws(() => scopeArgs(driver, 'call', { filter: ['x'] }, { tenant: 'a' }), {
    name: 'ConnectorError',
    fault: 'CONFIG',
  });
});
