import t from 'tap';
import { createWidgetScene, type WidgetScene } from './fixtures/widget-scene.ts';

const LIST: Readonly<Record<string, Record<string, unknown>>> = {
  db: { connector: 'db', method: 'list', args: { table: 'people' } },
  files: { connector: 'files', method: 'read', args: { file: 'people.csv' } },
  fake: { connector: 'fake', method: 'list' },
};

const source = (name: string, more: object = {}): Record<string, unknown> => ({
  ...LIST[name],
  label_expr: "item.name & ' #' & $string(index)",
  value_expr: 'item.id',
  subtext_expr: 'item.city',
  ...more,
});

for (const name of ['db', 'files', 'fake']) {
  t.test(`options come page by page (${name})`, async (t) => {
    const { options } = createWidgetScene(t);
    const first = await options(source(name), { limit: 4 });
    t.same(first.options[0], { label: 'Ada #0', value: '1', subText: 'London' });
    t.same(
      first.options.map(({ value }) => value),
      ['1', '2', '3', '4'],
    );
    const second = await options(source(name), { limit: 4, cursor: first.next_cursor });
    t.same(
      second.options.map(({ value }) => value),
      ['5', '6'],
    );
    t.equal(second.next_cursor, null);

    const foreign = { code: 'VALIDATION_ERROR', message: /^The cursor belongs to another query/ };
    const other = source(name, { label_expr: 'item.name' });
    await t.rejects(options(other, { limit: 4, cursor: first.next_cursor }), foreign);
    await t.rejects(options(source(name), { limit: 4, cursor: first.next_cursor, q: 'a' }), foreign);
    await t.rejects(options(source(name), { limit: 4, cursor: first.next_cursor, value: { a: 1 } }), foreign);
    await t.rejects(options(source(name), { limit: 4, cursor: 'AAAA' }), foreign);
  });

  t.test(`without a search of its own a source is searched here (${name})`, async (t) => {
    const { options } = createWidgetScene(t);
    const found = await options(source(name), { q: 'bonn', limit: 2 });
    t.same(
      found.options.map(({ value }) => value),
      ['2', '3'],
    );
    const rest = await options(source(name), { q: 'bonn', limit: 2, cursor: found.next_cursor });
    t.match(rest, { options: [{ value: '5' }], next_cursor: null });
    t.match(await options(source(name), { q: ' FLO ' }), { options: [{ value: '6' }] });
    t.same(await options(source(name), { q: 'nobody' }), { options: [], next_cursor: null });
  });
}

t.test('a source that searches itself gets the text where its path says', async (t) => {
  const { options } = createWidgetScene(t);
  const path = source('db', { search: { param: 'filter.name.contains' } });
  t.match(await options(path, { q: 'd' }), { options: [{ value: '1' }, { value: '4' }, { value: '5' }] });
  t.equal((await options(path)).options.length, 6);
  const beside = source('db', {
    args: { table: 'people', filter: { city: 'Bonn' } },
    search: { param: 'filter.name.contains' },
  });
  t.same(
    (await options(beside, { q: 'd' })).options.map(({ value }) => value),
    ['5'],
  );
  const plain = { connector: 'fake', method: 'echo', value_expr: 'item', search: { param: 'value' } };
  t.same(await options(plain, { q: 'x' }), { options: [{ label: 'x', value: 'x' }], next_cursor: null });
  const wrong = source('db', { search: { param: 'table.x' } });
  await t.rejects(options(wrong, { q: 'x' }), { code: undefined, message: /"search.param" "table.x" leads/ });
});

t.test('a source that is searched in the browser comes as one page, or not at all', async (t) => {
  const { options } = createWidgetScene(t);
  const search = { on_frontend: true };
  t.match(await options(source('db', { search }), { limit: 2 }), {
    options: { length: 6 },
    next_cursor: null,
  });
  const many = { connector: 'many', method: 'list', value_expr: 'item.id', search };
  await t.rejects(options(many), { message: /more than 1,000 options: .*"search.param"/ });
  const shaped = { ...many, transform_expr: 'data[[0..2]]' };
  await t.rejects(options(shaped), { message: /more than 10,000 rows/ }, 'a transform sees all rows or none');
});

t.test('expressions read the draft in the place of what is saved', async (t) => {
  const scene = createWidgetScene(t);
  const drafted = source('db', {
    args: { table: 'people', filter: { city: '{{ city }}', tenant: '{{ job_config.form.tenant }}' } },
    label_expr: "value.city & ' ' & item.name & ' ' & $string(args.since) & job.name",
  });
  const context = { ...scene.context, job_config: { form: { city: 'Rome', tenant: 'acme' } } };
  t.match(await scene.options(drafted, { context }), {
    options: [{ label: 'Rome Di 2024Shop', value: '4' }],
  });
  const value = { city: 'Bonn', tenant: 'beta' };
  t.match(await scene.options(drafted, { context, value }), { options: [{ label: 'Bonn Cy 2024Shop' }] });
  const rows = [{ source_field: 'a', target_field: 'b', transform: null }];
  const mapping = {
    connector: 'fake',
    method: 'echo',
    args: { value: '{{ value.source_field }}' },
    value_expr: 'item',
  };
  t.match(await scene.options(mapping, { value: rows }), { options: [{ value: 'a' }] });
});

t.test('without what it depends on a source is not asked', async (t) => {
  const scene = createWidgetScene(t);
  const broken = {
    connector: 'broken',
    method: 'list',
    value_expr: 'item.id',
    depends_on: ['country', 'other'],
  };
  const empty = { options: [], next_cursor: null };
  t.same(await scene.options(broken, { value: { country: '', other: 1 } }), empty);
  t.same(await scene.options(broken, { value: { country: [], other: 1 } }), empty);
  t.same(await scene.options(broken, { value: { country: 'DE' } }), empty);
  const context = { ...scene.context, job_config: { other: { a: 1 } } };
  await t.rejects(scene.options(broken, { context, value: { country: 'DE' } }), { message: 'It is away' });
  t.same(
    await scene.options(broken, {
      context: { ...context, job_config: { other: {} } },
      value: { country: 1 },
    }),
    empty,
  );
});

t.test('options are texts, each value once', async (t) => {
  const { options } = createWidgetScene(t);
  const cities = source('db', {
    label_expr: 'item.city',
    value_expr: 'item.city',
    subtext_expr: 'item.none',
  });
  t.same(await options(cities), {
    options: ['London', 'Bonn', 'Rome'].map((city) => ({ label: city, value: city })),
    next_cursor: null,
  });
  const shaped = source('db', { transform_expr: 'data[age > 35]', value_expr: 'item.age > 40' });
  t.same(
    (await options(shaped)).options.map(({ value }) => value),
    ['false', 'true'],
  );
  const none = source('db', { value_expr: 'item.none' });
  t.same((await options(none)).options, [], 'an item without a value is no option');
  const outside = { connector: 'db', method: 'list', args: { table: 'people', limit: 1 } };
  t.same(await options(outside, { labelExpr: 'item.name', valueExpr: 'item.id' }), {
    options: [{ label: 'Ada', value: '1' }],
    next_cursor: null,
  });
});

t.test('what goes wrong says so', async (t) => {
  const { options, connectors } = createWidgetScene(t);
  await t.rejects(options({ connector: 'nowhere', method: 'list', value_expr: 'item' }), {
    message: 'There is no connector "nowhere"',
  });
  const writes = {
    connector: 'db',
    method: 'execute',
    args: { sql: 'DELETE FROM people' },
    value_expr: 'item',
  };
  await t.rejects(options(writes), { message: /cannot be changed here by "execute"/ });
  const sly = {
    connector: 'db',
    method: 'query',
    args: { sql: 'DELETE FROM people RETURNING id' },
    value_expr: 'item',
  };
  await t.rejects(options(sly));
  t.equal((await options(source('db'))).options.length, 6, 'nothing was deleted');
  await t.rejects(options(source('db', { value_expr: "$number('x')" })), { name: 'ExpressionError' });
  await t.rejects(options({ connector: 'many', method: 'list', value_expr: 'item.id' }, { q: 'x' }), {
    message: /returned more than 10,000 rows/,
  });
  await t.rejects(
    options(source('db'), {
      connectors: { ...connectors, db: { id: 1, version: 2, type: 'abacus', config: {} } },
    }),
    {
      message: /no connector type "abacus"/,
    },
  );
  await t.rejects(options({ connector: 'db', value_expr: 'item' }), { code: 'VALIDATION_ERROR' });
});

t.test('which values are not offered any more can be asked', async (t) => {
  const scene = createWidgetScene(t);
  const ask = (of: Record<string, unknown>, values: readonly string[]) => missing(scene, of, values);
  t.same(await ask(source('db'), ['1', '99', '6', 'x']), { missing: ['99', 'x'] });
  t.same(await ask(source('fake', { depends_on: ['none'] }), ['1']), { missing: ['1'] });
  t.same(await ask({ connector: 'many', method: 'list', value_expr: 'item.id' }, ['1']), { missing: null });
  t.same(await ask({ connector: 'broken', method: 'list', value_expr: 'item.id' }, ['1']), { missing: null });
  t.same(await ask(source('db', { value_expr: "$number('x')" }), ['1']), { missing: null });
});

function missing({ run, optionsInput }: WidgetScene, of: Record<string, unknown>, values: readonly string[]) {
  return run('missing_options', { ...optionsInput(of), values });
}
