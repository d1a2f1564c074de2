import t from 'tap';
import type { Holding } from '../../../src/drivers/values/holding.ts';
import { checkCells, refused } from './check-cells.ts';

const endless = Number.POSITIVE_INFINITY;

const int2: Holding = { kind: 'integer', min: -32_768n, max: 32_767n };
const int8: Holding = { kind: 'integer', min: -(2n ** 63n), max: 2n ** 63n - 1n };
const numeric102: Holding = { kind: 'decimal', whole: 8, scale: 2, specials: false };
const numeric: Holding = { kind: 'decimal', whole: endless, scale: endless, specials: true };
const fraction: Holding = { kind: 'decimal', whole: 0, scale: 3, specials: false };
const float4: Holding = { kind: 'number', bits: 24, specials: true };
const float8: Holding = { kind: 'number', bits: 53, specials: true };
const plainDouble: Holding = { kind: 'number', bits: 53, specials: false };

checkCells(t, [
  [
    'a small integer',
    int2,
    [
      ['integer', 32_767, 32_767],
      ['integer', -32_768, -32_768],
      ['integer', 32_768, refused('not between -32768 and 32767')],
      ['number', 2, 2],
      ['number', -0, 0],
      ['number', 1.5, refused('it has a fraction')],
      ['number', 1.5, 2, 'round'],
      ['number', -1.5, -2, 'round'],
      ['number', -1.5, -1, 'truncate'],
      ['number', 32_767.5, refused('not between'), 'round'],
      ['decimal', '7.00', 7],
      ['decimal', '7.01', refused('it has a fraction')],
      ['decimal', '0.5', 1, 'round'],
      ['decimal', '-0.4', 0, 'round'],
      ['number', Number.NaN, refused('NaN does not fit')],
      ['boolean', true, 1],
      ['boolean', false, 0],
      ['string', ' 007 ', 7],
      ['string', '1e3', refused('"1e3" does not fit')],
      ['string', '', refused('it is no whole number')],
      ['string', 'x', refused('it is no whole number')],
      ['binary', '1234', refused('the column holds no bytes')],
      ['json', { a: 1 }, refused('it is no whole number')],
      ['integer', null, null],
      ['integer', undefined, undefined],
    ],
  ],
  [
    'a large integer',
    int8,
    [
      ['integer', '9223372036854775807', '9223372036854775807'],
      ['integer', '9223372036854775808', refused('not between')],
      ['integer', '-9223372036854775808', '-9223372036854775808'],
      ['integer', 9_007_199_254_740_993n, '9007199254740993'],
      ['number', 1e18, '1000000000000000000'],
      ['number', 1e19, refused('not between')],
      ['number', Number.POSITIVE_INFINITY, refused('no whole number')],
    ],
  ],
  [
    'numeric(10,2)',
    numeric102,
    [
      ['decimal', '12345678.90', '12345678.90'],
      ['decimal', '123456789', refused('more than 8 digits before the point')],
      ['decimal', '1.555', refused('more than 2 digits after the point')],
      ['decimal', '1.555', '1.56', 'round'],
      ['decimal', '-1.555', '-1.56', 'round'],
      ['decimal', '1.559', '1.55', 'truncate'],
      ['decimal', '-0.004', '0.00', 'round'],
      ['decimal', '99999999.995', refused('before the point'), 'round'],
      ['decimal', '1.50000', '1.5'],
      ['decimal', '-0.00', '0.00'],
      ['decimal', 'NaN', refused('it is no decimal number')],
      ['number', 0.1, '0.1'],
      ['number', 1e-7, refused('after the point')],
      ['number', 1e21, refused('before the point')],
      ['string', '1e2', '100'],
      ['string', '+001.50', '1.50'],
      ['string', '1,5', refused('it is no decimal number')],
      ['boolean', true, '1'],
    ],
  ],
  [
    'numeric without bounds',
    numeric,
    [
      ['decimal', 'NaN', 'NaN'],
      ['number', Number.NEGATIVE_INFINITY, '-Infinity'],
      ['decimal', `${'9'.repeat(76)}.5`, `${'9'.repeat(76)}.5`],
      ['number', 1e-10, '0.0000000001'],
    ],
  ],
  [
    'digits after the point alone',
    fraction,
    [
      ['decimal', '0.125', '0.125'],
      ['decimal', '1', refused('more than 0 digits before the point')],
      ['decimal', '-0.5', '-0.5'],
      ['decimal', '0', '0'],
    ],
  ],
  [
    'a number of 24 bits',
    float4,
    [
      ['number', 0.1, 0.1],
      ['number', 16_777_216, 16_777_216],
      ['number', 16_777_217, refused('more digits than a number of 24 bits keeps')],
      ['number', 16_777_217, 16_777_216, 'round'],
      ['number', 3.2415926535897, refused('more digits')],
      ['number', 3.2415926, 3.2415926],
      ['number', 1e39, refused('beyond'), 'round'],
      ['number', 1e-46, refused('more digits')],
      ['number', 1e-45, 1e-45],
      ['number', Number.NaN, Number.NaN],
      ['decimal', '0.10', 0.1],
    ],
  ],
  [
    'a number of 53 bits',
    float8,
    [
      ['number', -0, -0],
      ['number', 5e-324, 5e-324],
      ['integer', '9007199254740993', refused('more digits than a number of 53 bits keeps')],
      ['integer', '9007199254740993', 9_007_199_254_740_992, 'round'],
      ['integer', '9007199254740994', 9_007_199_254_740_994],
      ['integer', '36893488147419103232', 2 ** 65],
      ['decimal', '0.1000', 0.1],
      ['decimal', '0.12345678901234567891', refused('more digits')],
      ['string', 'Infinity', Number.POSITIVE_INFINITY],
      ['string', '1e400', refused('beyond all')],
      ['string', '1e-400', refused('more digits')],
      ['string', 'NaN ', refused('it is no number')],
      ['boolean', true, 1],
    ],
  ],
  [
    'a number without NaN',
    plainDouble,
    [
      ['number', Number.NaN, refused('no place for NaN and the infinities')],
      ['number', Number.NaN, refused('no place for NaN'), 'round'],
      ['number', 1.5, 1.5],
    ],
  ],
]);
