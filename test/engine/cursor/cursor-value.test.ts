import fc from 'fast-check';
import t from 'tap';
import { isAfter, isCursorValue, withLookback } from '../../../src/engine/cursor/cursor-value.ts';

t.test('times are compared as times, whatever their form', async (t) => {
  const cases: [string, string, boolean][] = [
    ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00+02:00', true],
    ['2024-01-01T01:00:00+02:00', '2024-01-01T00:00:00Z', false],
    ['2024-01-01T00:00:00.123457Z', '2024-01-01T00:00:00.123456Z', true],
    ['2024-01-01T00:00:00.1234567Z', '2024-01-01T00:00:00.123456Z', true],
    ['2024-01-01T00:00:00.5Z', '2024-01-01T00:00:00Z', true],
    ['2024-01-01 10:00:00', '2024-01-01T09:59:59Z', true],
    ['2024-01-02', '2024-01-01', true],
    ['soon', '2024-01-01', false],
  ];
  for (const [a, b, after] of cases) t.equal(isAfter('datetime', a, b), after, `${a} > ${b}`);
});

t.test('a time without a zone is UTC, whatever zone the server is in', async (t) => {
  const zone = process.env['TZ'];
  t.teardown(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  process.env['TZ'] = 'Pacific/Kiritimati';
  t.equal(isAfter('datetime', '2024-01-01 10:00:00', '2024-01-01T09:59:59Z'), true);
  t.equal(isAfter('datetime', '2024-01-01T10:00:00', '2024-01-01T10:00:01Z'), false);
});

t.test('times in UTC of any form are ordered as their milliseconds are', async () => {
  const time = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
  const form = (date: Date, kind: number) => {
    const iso = date.toISOString();
    return [iso, iso.replace('T', ' ').slice(0, 23), iso.replace('Z', '+00:00')][kind] as string;
  };
  fc.assert(
    fc.property(time, time, fc.nat(2), fc.nat(2), (a, b, left, right) => {
      return isAfter('datetime', form(a, left), form(b, right)) === a.getTime() > b.getTime();
    }),
  );
});

t.test('whole numbers beyond 2^53 are compared exactly', async (t) => {
  t.ok(isAfter('integer', '9007199254740993', '9007199254740992'));
  t.ok(isAfter('integer', '10', 9));
  t.notOk(isAfter('integer', null, -1));
  t.notOk(isAfter('number', null, -1));
  t.notOk(isAfter('number', '', -1));
  t.notOk(isCursorValue('integer', '1.5'));
});

t.test('a look-back keeps the form of what was saved', async (t) => {
  const spec = { field: 'at', type: 'datetime', initial: null, lookbackMs: 600_000 } as const;
  t.equal(withLookback(spec, '2024-01-01T00:05:00Z'), '2023-12-31T23:55:00Z');
  t.equal(withLookback(spec, '2024-01-01T00:05:00.250Z'), '2023-12-31T23:55:00.250Z');
  t.equal(withLookback(spec, '2024-01-01 00:05:00'), '2023-12-31 23:55:00');
  t.equal(withLookback({ ...spec, type: 'date', lookbackMs: 86_400_000 }, '2024-03-01'), '2024-02-29');
  t.equal(withLookback({ ...spec, type: 'integer' }, 7), 7);
});
