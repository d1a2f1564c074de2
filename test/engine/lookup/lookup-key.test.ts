import t from 'tap';
import type { ColumnType } from '../../../src/drivers/driver.ts';
import { keyReader } from '../../../src/engine/lookup/lookup-key.ts';

const idOf = (value: unknown, type: ColumnType = 'unknown', like: ColumnType = 'unknown') =>
  keyReader(['k'], [{ name: 'k', type, nullable: true }], [like])({ k: value })?.id;

t.test('keys are equal where their numbers or times are, and only there', (t) => {
  t.equal(idOf('1.50', 'decimal'), idOf(1.5));
  t.equal(idOf('007', 'integer'), idOf(7, 'integer'));
  t.equal(idOf('1000000000000000000000', 'decimal'), idOf(1e21, 'number'));
  t.equal(idOf('0.0000001', 'decimal'), idOf(1e-7, 'number'));
  t.equal(idOf('-0.0', 'decimal'), idOf(0, 'integer'));
  t.not(idOf('9007199254740993', 'integer'), idOf(9007199254740992, 'number'));
  t.not(idOf('7', 'string'), idOf(7, 'integer'));
  t.equal(idOf('2020-01-01T10:00:00Z', 'timestamp'), idOf('2020-01-01 12:00:00.000+02:00', 'timestamp'));
  t.not(idOf('2020-01-01T10:00:00Z', 'timestamp'), idOf('2020-01-01T10:00:00.000001Z', 'timestamp'));
  t.equal(idOf('10:00:00', 'time'), idOf('10:00', 'time'));
  t.not(idOf('2020-01-01T10:00:00Z', 'string'), idOf('2020-01-01T10:00:00.0Z', 'string'));
  t.equal(idOf('1.50', 'decimal'), idOf('1.5', 'unknown', 'decimal'), 'of what the other side knows');
  t.end();
});
