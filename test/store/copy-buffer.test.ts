import t from 'tap';
import { CopyBuffer } from '../../src/store/postgres/copy-buffer.ts';

/** Of the documentation of PostgreSQL's binary COPY, written by the platform's own methods. */
const bytes = {
  int2(value: number): Buffer {
    const found = Buffer.alloc(2);
    found.writeInt16BE(value);
    return found;
  },
  int4(value: number): Buffer {
    const found = Buffer.alloc(4);
    found.writeInt32BE(value);
    return found;
  },
  int8(value: number): Buffer {
    const found = Buffer.alloc(8);
    found.writeBigInt64BE(BigInt(value));
    return found;
  },
};
const field = (value: Buffer) => [bytes.int4(value.length), value];

t.test('rows are what the binary format says, whatever their numbers and texts', async (t) => {
  const numbers = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 1_700_000_000_123, 2 ** 53 - 1];
  const texts = [
    '',
    'write',
    'x'.repeat(32),
    'x'.repeat(33),
    'ü',
    `${'a'.repeat(31)}ü`,
    '😀 ☃',
    '\u007f\u0080',
  ];
  // Longer than the buffer is at first.
  const long = 'é'.repeat(400_000);
  const buffer = new CopyBuffer();
  for (const round of ['new', 'used again']) {
    buffer.clear();
    buffer.row(3 + numbers.length + texts.length);
    buffer.int2(-2);
    buffer.int4(-5);
    buffer.text(null);
    for (const number of numbers) buffer.int8(number);
    for (const text of texts) buffer.text(text);
    buffer.row(1);
    buffer.text(long);
    const expected = [
      Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1'),
      bytes.int2(3 + numbers.length + texts.length),
      ...field(bytes.int2(-2)),
      ...field(bytes.int4(-5)),
      bytes.int4(-1),
      ...numbers.flatMap((number) => field(bytes.int8(number))),
      ...texts.flatMap((text) => field(Buffer.from(text))),
      bytes.int2(1),
      ...field(Buffer.from(long)),
      bytes.int2(-1),
    ];
    t.equal(buffer.rows, 2);
    t.ok(buffer.finish().equals(Buffer.concat(expected)), round);
  }
});
