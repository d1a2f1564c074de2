/** A fraction of whole numbers: exact arithmetic that shares nothing with what it judges. */
export class Fraction {
  readonly #top: bigint;
  readonly #bottom: bigint;

  constructor(top: bigint, bottom: bigint) {
    const common = divisor(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom) || 1n;
    const sign = bottom < 0n ? -1n : 1n;
    this.#top = (sign * top) / common;
    this.#bottom = (sign * bottom) / common;
  }

  /** Of a decimal text, with an exponent or without one. */
  static of(text: string): Fraction {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] =
      /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
    const digits = BigInt(whole + fraction || 'none') * (sign === '-' ? -1n : 1n);
    const power = Number(exponent) - fraction.length;
    return power >= 0
      ? new Fraction(digits * 10n ** BigInt(power), 1n)
      : new Fraction(digits, 10n ** BigInt(-power));
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.#top * other.#bottom + other.#top * this.#bottom, this.#bottom * other.#bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.negated());
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.#top * other.#top, this.#bottom * other.#bottom);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.#top * other.#bottom, this.#bottom * other.#top);
  }

  /** With the sign of this one. */
  remainder(other: Fraction): Fraction {
    const quotient = this.over(other);
    return this.minus(other.times(new Fraction(quotient.#top / quotient.#bottom, 1n)));
  }

  negated(): Fraction {
    return new Fraction(-this.#top, this.#bottom);
  }

  magnitude(): Fraction {
    return this.#top < 0n ? this.negated() : this;
  }

  /** Half to even. */
  rounded(places: number): Fraction {
    const unit =
      places >= 0 ? new Fraction(1n, 10n ** BigInt(places)) : new Fraction(10n ** BigInt(-places), 1n);
    const units = this.over(unit);
    const below =
      units.#top / units.#bottom - (units.#top < 0n && units.#top % units.#bottom !== 0n ? 1n : 0n);
    const rest = units.minus(new Fraction(below, 1n)).compare(new Fraction(1n, 2n));
    const isUp = rest > 0 || (rest === 0 && below % 2n !== 0n);
    return new Fraction(isUp ? below + 1n : below, 1n).times(unit);
  }

  compare(other: Fraction): number {
    const difference = this.#top * other.#bottom - other.#top * this.#bottom;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  equals(other: Fraction): boolean {
    return this.compare(other) === 0;
  }

  get isZero(): boolean {
    return this.#top === 0n;
  }

  /** Whether it can be written as a decimal. */
  get ends(): boolean {
    let rest = this.#bottom;
    for (const prime of [2n, 5n]) while (rest % prime === 0n) rest /= prime;
    return rest === 1n;
  }
}

function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
