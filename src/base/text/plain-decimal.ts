const SCIENTIFIC = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/;

/** A decimal in digits alone: `-1E-10` becomes `-0.0000000001`. Any other text stays as it is, such as `NaN`. */
export function plainDecimal(text: string): string {
  const found = SCIENTIFIC.exec(text);
  if (found === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padEnd(point, '0');
  if (point >= digits.length) return sign + withoutLeadingZeros(digits);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${withoutLeadingZeros(digits.slice(0, point))}.${digits.slice(point)}`;
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}
