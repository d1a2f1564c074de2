import t from 'tap';
import type { Holding } from '../../../src/drivers/values/holding.ts';
import { checkCells, refused } from './check-cells.ts';

const date: Holding = { kind: 'date', min: '0001-01-01', max: '9999-12-31', specials: false };
const pgDate: Holding = { ...date, specials: true };
const zeroDate: Holding = { ...date, min: '0000-00-00' };
const time: Holding = { kind: 'time', digits: 3, max: '24:00:00', signed: false, zone: false };
const timetz: Holding = { ...time, zone: true };
const longTime: Holding = { kind: 'time', digits: 0, max: '838:59:59', signed: true, zone: false };
const moment: Holding = {
  kind: 'timestamp',
  digits: 6,
  zone: true,
  min: '0001-01-01T00:00:00Z',
  max: '9999-12-31T23:59:59.999999Z',
  specials: false,
};
const pgMoment: Holding = { ...moment, specials: true };
const clock3: Holding = { ...moment, digits: 3, zone: false };
const unixTime: Holding = { ...moment, digits: 0, min: '1970-01-01T00:00:01Z', max: '2038-01-19T03:14:07Z' };

checkCells(t, [
  [
    'a date',
    date,
    [
      ['date', '2024-02-29', '2024-02-29'],
      ['date', '2023-02-29', refused('it is no date')],
      ['date', '0000-01-01', refused('not between')],
      ['timestamp', '2024-01-01T00:00:00Z', '2024-01-01'],
      ['timestamp', '2024-01-01T00:00:00.000Z', '2024-01-01'],
      ['timestamp', '2024-01-01T00:00:00+02:00', refused('it has a time of day')],
      ['timestamp', '2024-01-01T10:00:00Z', refused('it has a time of day')],
      ['timestamp', '2024-01-01T10:00:00Z', '2024-01-01', 'truncate'],
      ['timestamp', '2024-01-01T10:00:00Z', refused('it has a time of day'), 'round'],
      ['date', 'infinity', refused('it is no date')],
      ['integer', 20240101, refused('it is no date')],
      ['date', '0000-00-00', refused('it is no date')],
    ],
  ],
  [
    'a date of PostgreSQL',
    pgDate,
    [
      ['date', 'infinity', 'infinity'],
      ['date', '0044-03-15 BC', '0044-03-15 BC'],
      ['date', '5874897-12-31', '5874897-12-31'],
      ['timestamp', '0044-03-15 00:00:00 BC', '0044-03-15 BC'],
      ['timestamp', '0044-03-15 01:00:00+00 BC', refused('a time of day')],
      ['timestamp', '10000-01-01 00:00:00+00', '10000-01-01'],
    ],
  ],
  ['a date with zeros', zeroDate, [['date', '0000-00-00', '0000-00-00']]],
  [
    'a time',
    time,
    [
      ['time', '10:00:00.123', '10:00:00.123'],
      ['time', '10:00:00.1230', '10:00:00.123'],
      ['time', '10:00', '10:00:00'],
      ['time', '10:00:00.1234', refused('more than 3 digits after the point')],
      ['time', '10:00:00.1235', '10:00:00.124', 'round'],
      ['time', '10:00:01.0005', '10:00:01', 'truncate'],
      ['time', '23:59:59.9999', '24:00:00', 'round'],
      ['time', '24:00:00', '24:00:00'],
      ['time', '24:00:01', refused('it is after 24:00:00')],
      ['time', '-01:00:00', refused('it is negative')],
      ['time', '10:00:00+02', refused('it has an offset')],
      ['time', '10:00:00+00', '10:00:00'],
      ['timestamp', '2024-01-01T10:00:00Z', refused('it is no time')],
      ['string', '', refused('it is no time')],
    ],
  ],
  [
    'a time with its zone',
    timetz,
    [
      ['time', '10:00:00+02', '10:00:00+02'],
      ['time', '10:00:00', '10:00:00+00'],
      ['time', '10:00:00-05:30', '10:00:00-05:30'],
    ],
  ],
  [
    'a time of many hours',
    longTime,
    [
      ['time', '-838:59:59', '-838:59:59'],
      ['time', '839:00:00', refused('it is after 838:59:59')],
      ['time', '100:00:00', '100:00:00'],
    ],
  ],
  [
    'a moment',
    moment,
    [
      ['timestamp', '2024-01-01T10:00:00+02:00', '2024-01-01T08:00:00Z'],
      ['timestamp', '2024-01-01T10:00:00.1234560Z', '2024-01-01T10:00:00.123456Z'],
      ['timestamp', '2024-01-01T10:00:00.1234567Z', refused('more than 6 digits after the point')],
      ['timestamp', '2024-01-01T10:00:00.1234567Z', '2024-01-01T10:00:00.123457Z', 'round'],
      ['timestamp', '2024-12-31T23:59:59.9999995Z', '2025-01-01T00:00:00Z', 'round'],
      ['timestamp', '2024-12-31T23:59:59.9999995Z', '2024-12-31T23:59:59.999999Z', 'truncate'],
      ['timestamp', '9999-12-31T23:59:59.9999995Z', refused('not between'), 'round'],
      ['string', '2024-01-01 10:00', '2024-01-01T10:00:00Z'],
      ['date', '2024-01-01', '2024-01-01T00:00:00Z'],
      ['integer', 1_704_067_200, refused('it is no timestamp')],
      ['timestamp', 'infinity', refused('it is no timestamp')],
      ['unknown', new Date(0), '1970-01-01T00:00:00Z'],
    ],
  ],
  [
    'a moment of PostgreSQL',
    pgMoment,
    [
      ['timestamp', '-infinity', '-infinity'],
      ['timestamp', '0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00 BC'],
      ['timestamp', '294276-12-31 23:59:59.999999+00', '294276-12-31 23:59:59.999999+00'],
      ['timestamp', '294276-12-31 23:59:59.9999999+00', refused('more than 6 digits')],
      ['timestamp', '0044-03-15 12:00:00+02 BC', refused('it is no timestamp')],
    ],
  ],
  [
    'what clocks show',
    clock3,
    [
      ['timestamp', '2024-01-01T10:00:00+02:00', '2024-01-01T08:00:00Z'],
      ['timestamp', '2024-01-01T10:00:00.1234Z', refused('more than 3 digits')],
    ],
  ],
  [
    'a moment of a few years',
    unixTime,
    [
      ['timestamp', '2038-01-19T03:14:07Z', '2038-01-19T03:14:07Z'],
      ['timestamp', '2038-01-19T03:14:08Z', refused('not between')],
      ['timestamp', '1970-01-01T00:00:00Z', refused('not between')],
    ],
  ],
]);
