import fc from 'fast-check';
import t from 'tap';
import {
  defaultValues,
  fillValues,
  fitsNativeList,
  isSameForm,
  isSameValue,
  missingFor,
  numberProblems,
  readFields,
  typedValue,
  valueInWords,
  valuesToSend,
} from '../../../src/ui/inputs/field/form-schema.ts';
import { inputs } from '../../../src/ui/texts/en/widgets/inputs.ts';

const fields = readFields([
  { key: 'name', type: 'text', required: true },
  { key: 'size', label: 'Size', type: 'number', default: 5 },
  { key: 'on', type: 'boolean' },
  { key: 'one', type: 'select', options: [{ label: 'First', value: 'a' }] },
  { key: 'many', type: 'multi_select', depends_on: ['one'], options_source: { search: 'server' } },
  { key: 'odd', type: 'picture' },
]);

t.test('fields are read with what they leave out, and an unknown type is a text', async (t) => {
  t.match(fields[0], { label: 'name', required: true, options: null, search: 'none', dependsOn: [] });
  t.match(fields[4], { search: 'server', dependsOn: ['one'] });
  t.equal(fields[5]?.type, 'text');
  t.throws(() => readFields('soon'), { name: 'PayloadError' });
});

t.test('a form shows what is saved, and sends only what holds something', async (t) => {
  const filled = fillValues(fields, { name: 'x', one: null });
  t.same(filled, { name: 'x', size: null, on: false, one: '', many: [], odd: '' });
  t.match(fillValues(fields, { size: 0, on: false }), { size: 0, on: false }, 'zero and no are values');
  t.same(valuesToSend(fields, { ...filled, stranger: 1 }), { name: 'x', on: false, many: [] });
  t.same(defaultValues(fields), { name: '', size: 5, on: false, one: '', many: [], odd: '' });
});

t.test('filling a form in changes nothing, whatever is saved', async () => {
  const saved = fc.record(
    {
      name: fc.option(fc.string()),
      size: fc.option(fc.double({ noNaN: true })),
      on: fc.boolean(),
      many: fc.uniqueArray(fc.string()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(saved, (values) => {
      const filled = fillValues(fields, values);
      return isSameForm(fields, filled, fillValues(fields, valuesToSend(fields, filled)));
    }),
  );
});

t.test('empty and absent are the same, and so are the same options in another order', async (t) => {
  for (const empty of ['', null, undefined, []]) t.ok(isSameValue(empty, null));
  t.ok(isSameValue(['b', 'a'], ['a', 'b']));
  t.notOk(isSameValue(0, null));
  t.notOk(isSameValue(false, null));
  t.notOk(isSameValue('1', 1));
});

t.test('a dependent field names what must be chosen first', async (t) => {
  const many = fields[4];
  if (many === undefined) throw new Error('the field is gone');
  t.same(
    missingFor(many, fields, { one: '' }).map((field) => field.key),
    ['one'],
  );
  t.same(missingFor(many, fields, { one: 'a' }), []);
});

t.test('values in words use the labels that are known', async (t) => {
  const [, size, on, one, many] = fields;
  if (!size || !on || !one || !many) throw new Error('a field is gone');
  t.equal(valueInWords(one, 'a'), 'First');
  t.equal(valueInWords(one, 'gone'), 'gone');
  t.equal(valueInWords(many, ['a', 'b']), 'a, b');
  t.equal(valueInWords(many, []), '');
  t.equal(valueInWords(on, false), 'No');
  t.match(valueInWords(size, 1200), /^1.?200$/);
  t.ok(fitsNativeList(one));
  t.notOk(fitsNativeList(many));
});

t.test(
  'what is typed into a number is a number, nothing, or a text that the form refuses by itself',
  async (t) => {
    t.same(['', ' 7 ', '2.50', '-1e3', '1,500'].map(typedValue), [null, 7, 2.5, -1000, 1500]);
    const problemOf = (text: string) =>
      numberProblems(fields, { size: typedValue(text) }, inputs).get('size');
    for (const text of ['many', '1,5', '1.5.0'])
      t.match(problemOf(text), ['This is not a number; write it as 1,234.5'], text);
    for (const text of ['9007199254740993', '12,345,678,901,234,567.89'])
      t.match(problemOf(text), [/more digits than can be kept exactly/], text);
    t.equal(problemOf('7'), undefined);
    t.equal(numberProblems(fields, { name: 'many' }, inputs).size, 0, 'a text may be any');
  },
);
