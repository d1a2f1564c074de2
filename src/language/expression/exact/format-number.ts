import { ExactNumber } from '../../../base/values/exact-number.ts';
import { jsonataFunction } from '../compile/jsonata-function.ts';
import { type AnyNumber, calculate, compareNumbers, magnitude, roundedTo } from './exact-arithmetic.ts';
import { heldByDouble } from './plain-number.ts';

type Marks = Readonly<Record<string, string>>;
type FormatNumber = (
  value: number | undefined,
  picture: string,
  options?: Marks | undefined,
) => string | undefined;

/** Of the functions of XPath, whose pictures these are. */
const DEFAULT_MARKS = {
  'decimal-separator': '.',
  'grouping-separator': ',',
  'exponent-separator': 'e',
  'minus-sign': '-',
  percent: '%',
  'per-mille': '\u2030',
  'zero-digit': '0',
  digit: '#',
  'pattern-separator': ';',
};

const ofDouble = (await jsonataFunction('formatNumber')) as FormatNumber;

/** `$formatNumber` as jsonata has it, and with all digits of a number that a double does not hold. */
export function formatNumber(
  value: AnyNumber | undefined,
  picture: string,
  options?: Marks | undefined,
): string | undefined {
  if (!(value instanceof ExactNumber)) return ofDouble(value, picture, options);
  const double = heldByDouble(value);
  if (double !== null) return ofDouble(double, picture, options);
  // Refuses a picture that does not hold together.
  ofDouble(0, picture, options);
  const marks = { ...DEFAULT_MARKS, ...options };
  const [positive = '', negative] = picture.split(marks['pattern-separator']);
  const isNegative = compareNumbers(value, 0) < 0;
  const part = partOf(isNegative && negative !== undefined ? negative : positive, marks);
  // A double has as many digits as such a picture shows.
  if (part.hasExponent) return ofDouble(Number(value.text), picture, options);
  const sign = isNegative && negative === undefined ? marks['minus-sign'] : '';
  return `${sign}${part.prefix}${digitsOf(value, part, marks)}${part.suffix}`;
}

interface Part {
  readonly prefix: string;
  readonly suffix: string;
  readonly whole: string;
  readonly fraction: string;
  readonly factor: number;
  readonly hasExponent: boolean;
  readonly hasPoint: boolean;
}

/** One side of a picture's `;`. */
function partOf(picture: string, marks: typeof DEFAULT_MARKS): Part {
  const family = familyOf(marks);
  const own = [...family, marks.digit, marks['decimal-separator'], marks['grouping-separator']];
  const characters = [...picture];
  const start = characters.findIndex((character) => own.includes(character));
  const end = characters.findLastIndex((character) => own.includes(character)) + 1;
  const active = characters.slice(start, end).join('');
  const [whole = '', fraction = ''] = active.split(marks['decimal-separator']);
  const factor = picture.includes(marks.percent) ? 100 : picture.includes(marks['per-mille']) ? 1_000 : 1;
  return {
    prefix: characters.slice(0, start).join(''),
    suffix: characters.slice(end).join(''),
    whole,
    fraction,
    factor,
    hasExponent: active.includes(marks['exponent-separator']),
    hasPoint: active.includes(marks['decimal-separator']),
  };
}

function digitsOf(value: ExactNumber, part: Part, marks: typeof DEFAULT_MARKS): string {
  const family = familyOf(marks);
  const grouping = marks['grouping-separator'];
  const fixed = (text: string) => [...text].filter((character) => family.includes(character)).length;
  const placed = (text: string) => [...text].filter((character) => character !== grouping).length;
  const most = placed(part.fraction);
  let [leastWhole, leastFraction] = [fixed(part.whole), fixed(part.fraction)];
  if (leastWhole === 0 && most === 0) leastWhole = 1;
  if (leastWhole === 0 && leastFraction === 0) leastFraction = 1;
  const scaled = calculate('*', value, part.factor);
  const shown = scaled instanceof ExactNumber ? roundedTo(magnitude(scaled) as ExactNumber, most) : scaled;
  const [digits = '', decimals = ''] = String(shown).split('.');
  const whole = digits.replace(/^0+/, '').padStart(leastWhole, '0');
  const fraction = decimals.replace(/0+$/, '').padEnd(leastFraction, '0');
  const grouped = groupedFromRight(whole, positionsOf(part.whole, grouping, true), grouping);
  const rest = groupedFromLeft(fraction, positionsOf(part.fraction, grouping, false), grouping);
  const text = part.hasPoint && rest !== '' ? `${grouped}${marks['decimal-separator']}${rest}` : grouped;
  return marks['zero-digit'] === '0' ? text : text.replace(/\d/g, (digit) => family[Number(digit)] ?? digit);
}

/** The ten digits, which follow one another. */
function familyOf({ 'zero-digit': zero }: Marks): readonly string[] {
  const first = zero?.codePointAt(0) ?? 48;
  return Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(first + digit));
}

/** How many digits there are between each mark and the point. */
function positionsOf(text: string, mark: string, fromRight: boolean): readonly number[] {
  const pieces = text.split(mark);
  const counted = fromRight ? pieces.slice(1).reverse() : pieces.slice(0, -1);
  let count = 0;
  return counted.map((piece) => (count += piece.length));
}

/** Marks at equal distances go on beyond the picture. */
function groupedFromRight(digits: string, positions: readonly number[], mark: string): string {
  const [first = 0] = positions;
  const isRegular = positions.every((position, index) => position === first * (index + 1));
  const isMarked = (left: number) => first > 0 && (isRegular ? left % first === 0 : positions.includes(left));
  return [...digits]
    .map((digit, index) => (index > 0 && isMarked(digits.length - index) ? mark + digit : digit))
    .join('');
}

function groupedFromLeft(digits: string, positions: readonly number[], mark: string): string {
  return [...digits].map((digit, index) => (positions.includes(index) ? mark + digit : digit)).join('');
}
