import t from 'tap';
import type { Holding } from '../../../src/drivers/values/holding.ts';
import { checkCells, refused } from './check-cells.ts';

const endless = Number.POSITIVE_INFINITY;

const anyText = {
  kind: 'text',
  chars: endless,
  bytes: endless,
  padded: false,
  nul: false,
  planes: true,
} as const;
const varchar5: Holding = { ...anyText, chars: 5 };
const char5: Holding = { ...varchar5, padded: true };
const bytes4: Holding = { ...anyText, bytes: 4, planes: false };
const mood: Holding = { kind: 'choice', members: ['sad', 'ok', '2'], several: false };
const flags: Holding = { kind: 'choice', members: ['a', 'b', 'c'], several: true };
const bytea: Holding = { kind: 'bytes', max: endless, fixed: false };
const binary3: Holding = { kind: 'bytes', max: 3, fixed: true };
const bit4: Holding = { kind: 'bits', count: 4, fixed: true };
const varbit4: Holding = { kind: 'bits', count: 4, fixed: false };

checkCells(t, [
  [
    'true and false',
    { kind: 'boolean' },
    [
      ['boolean', true, true],
      ['integer', 0, false],
      ['integer', 2, refused('neither true nor false')],
      ['string', ' Yes', true],
      ['string', 't', refused('neither true nor false')],
      ['string', '', refused('neither true nor false')],
      ['json', [1], refused('neither true nor false')],
    ],
  ],
  [
    'text of five characters',
    varchar5,
    [
      ['string', 'abcde', 'abcde'],
      ['string', '😀😀😀😀😀', '😀😀😀😀😀'],
      ['string', 'abcdef', refused('it is longer than 5 characters')],
      ['string', 'abcdef', refused('it is longer'), 'round'],
      ['string', '😀😀😀😀😀😀', '😀😀😀😀😀', 'truncate'],
      ['string', 'a\0', refused('U+0000')],
      ['string', '\ud800', refused('half a character')],
      ['string', 'ab ', 'ab '],
      ['string', '', ''],
      ['boolean', true, 'true'],
      ['number', 1e21, '1e+21'],
      ['number', Number.NaN, 'NaN'],
      ['json', [1], '[1]'],
      ['binary', 'aGk=', refused('the column holds no bytes')],
      ['unknown', Buffer.from('hi'), refused('bytes are no text')],
    ],
  ],
  [
    'text that is filled up',
    char5,
    [
      ['string', 'ab', 'ab'],
      ['string', 'ab ', refused('does not keep blanks at the end')],
      ['string', 'ab ', 'ab', 'truncate'],
      ['string', 'ab   ', 'ab', null, 'character(5)'],
      ['string', 'ab   ', refused('blanks'), null, 'character varying(5)'],
    ],
  ],
  [
    'text of four bytes without high planes',
    bytes4,
    [
      ['string', 'äö', 'äö'],
      ['string', 'äöü', refused('longer than 4 bytes')],
      ['string', 'aäöü', 'aä', 'truncate'],
      ['string', '😀', refused('beyond U+FFFF')],
    ],
  ],
  [
    'one of its members',
    mood,
    [
      ['string', 'ok', 'ok'],
      ['string', 'OK', refused('none of the values that the column knows')],
      ['integer', 1, refused('none of the values')],
      ['integer', 2, '2'],
      ['string', '', refused('none of the values')],
      ['string', 'ok ', refused('none of the values')],
    ],
  ],
  [
    'several of its members',
    flags,
    [
      ['string', 'c,a', 'a,c'],
      ['string', '', ''],
      ['string', 'a,a', refused('a member twice')],
      ['string', 'a,d', refused('does not know')],
    ],
  ],
  [
    'bytes',
    bytea,
    [
      ['binary', 'AP8=', 'AP8='],
      ['binary', '', ''],
      ['unknown', Buffer.from('hi'), 'aGk='],
      ['binary', 'hello world', refused('it is no base64')],
      ['binary', 'AP9=', refused('it is no base64')],
      ['binary', 'AP8', refused('it is no base64')],
      ['binary', 'A P8=', refused('it is no base64')],
      ['binary', '__8=', refused('it is no base64')],
      ['string', 'AP8=', refused('cast it to binary')],
      ['integer', 5, refused('cast it to binary')],
    ],
  ],
  [
    'three bytes',
    binary3,
    [
      ['binary', 'AAEC', 'AAEC'],
      ['binary', 'AAE=', refused('it has 2 bytes, and the column 3')],
      ['binary', 'AAECAw==', refused('more than 3 bytes')],
      ['binary', 'AAECAw==', 'AAEC', 'truncate'],
    ],
  ],
  [
    'four bits',
    bit4,
    [
      ['string', '0101', '0101'],
      ['string', '101', refused('it has 3 bits, and the column 4')],
      ['string', '01010', refused('more than 4 bits')],
      ['integer', 5, '0101'],
      ['integer', '101', refused('more than 4 bits')],
      ['boolean', true, '0001'],
      ['integer', -1, refused('no text of 0 and 1')],
    ],
  ],
  [
    'up to four bits',
    varbit4,
    [
      ['string', '', ''],
      ['integer', 5, '101'],
    ],
  ],
]);
