import t from 'tap';
import type { DigestColumn } from '../../../src/drivers/digest/digest.ts';
import { digestRow } from '../../../src/drivers/digest/row-digest.ts';
import type { Row } from '../../../src/drivers/driver.ts';

const columns = (...names: string[]): DigestColumn[] => names.map((name) => ({ name, form: 'text' }));

t.test('a row without a field of an inherited name is as one whose field is null', async (t) => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const given: Row = { id: 'a' };
    const asNull = Object.fromEntries([
      ['id', 'a'],
      [name, null],
    ]) as Row;
    const [value, key] = [columns(name), columns('id')];
    t.equal(digestRow(given, key, value).rowHash, digestRow(asNull, key, value).rowHash, `value ${name}`);
    t.equal(digestRow(given, value, key).keyHash, digestRow(asNull, value, key).keyHash, `key ${name}`);
    t.equal(digestRow(given, key, value).cells[1] ?? null, null, `cell ${name}`);
  }
});

t.test('a field of an inherited name that a row has is its value', async (t) => {
  const row = Object.fromEntries([
    ['id', 'a'],
    ['constructor', 'b'],
    ['__proto__', 'c'],
  ]) as Row;
  t.strictSame(digestRow(row, columns('id'), columns('constructor', '__proto__')).cells, ['a', 'b', 'c']);
});
