import t from 'tap';
import type { Holding } from '../../../src/drivers/values/holding.ts';
import { checkCells, refused } from './check-cells.ts';

const endless = Number.POSITIVE_INFINITY;

const numeric102: Holding = { kind: 'decimal', whole: 8, scale: 2, specials: false };
const bytea: Holding = { kind: 'bytes', max: endless, fixed: false };
const uuid: Holding = { kind: 'uuid' };
const json: Holding = { kind: 'json' };
const list = (of: Holding): Holding => ({ kind: 'array', of });

checkCells(t, [
  [
    'a UUID',
    uuid,
    [
      ['string', '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      ['string', 'a0eebc999c0b4ef8bb6d6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      ['string', 'a0eebc99-9c0b4ef8-bb6d-6bb9bd380a11', refused('it is no UUID')],
      ['integer', 1, refused('it is no UUID')],
    ],
  ],
  [
    'JSON',
    json,
    [
      ['json', { a: [1, null] }, '{"a":[1,null]}'],
      ['json', 'abc', '"abc"'],
      ['json', { a: Number.NaN }, refused('JSON has no place for NaN')],
      ['string', '{"b": 1.50, "a": 1}', '{"b": 1.50, "a": 1}'],
      ['string', 'abc', refused('it is no JSON')],
      ['date', '2024-01-01', '"2024-01-01"'],
      ['decimal', '1.50', '1.50'],
      ['decimal', 'NaN', refused('it is no JSON')],
      ['integer', '9007199254740993', '9007199254740993'],
      ['number', Number.POSITIVE_INFINITY, refused('JSON has no place for Infinity')],
      ['boolean', true, 'true'],
      ['binary', 'AAAA', refused('the column holds no bytes')],
    ],
  ],
  [
    'a list of numerics',
    list(numeric102),
    [
      ['json', ['1.50', null, 2], ['1.50', null, '2']],
      ['json', [['1.5'], ['2']], [['1.5'], ['2']]],
      ['json', ['1.555'], refused('["1.555"] does not fit the column')],
      ['string', '[1.5]', ['1.5']],
      ['string', '{1.5}', refused('it is no list')],
    ],
  ],
  [
    'a list of bytes',
    list(bytea),
    [
      ['json', ['AP8='], ['AP8='], null, 'bytea[]'],
      ['json', ['AP8='], refused('cast it to binary')],
      ['json', ['hello'], refused('no base64'), null, 'bytea[]'],
    ],
  ],
  ['a list of JSON', list(json), [['json', [{ a: 1 }, 'x', [1]], ['{"a":1}', '"x"', '[1]']]]],
]);
