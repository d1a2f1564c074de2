import type { Column } from '../driver.ts';
import type { DeclaredType } from '../types/declared-type.ts';
import type { Holding } from './holding.ts';

/** Engines whose columns hold values of their declared types alone. */
const STRICT_ENGINES: ReadonlySet<string> = new Set(['postgres', 'mysql', 'parquet']);
const CHARACTER_BYTES_MAX = 4;
const TIME_DIGITS_MAX = 6;

/** Whether all values that the source declares for its column fit, so that none needs to be looked at. */
export function declaredFits({ type, declared }: Column, holding: Holding): boolean {
  if (declared === undefined || !STRICT_ENGINES.has(declared.engine)) return false;
  const isPostgres = declared.engine === 'postgres';
  switch (holding.kind) {
    case 'integer':
      return type === 'integer' && integersFit(declared, holding);
    case 'decimal': {
      const { precision, scale = 0 } = declared;
      const fits = precision !== undefined && precision - scale <= holding.whole && scale <= holding.scale;
      const isUnbounded =
        holding.whole === Number.POSITIVE_INFINITY && holding.scale === Number.POSITIVE_INFINITY;
      return type === 'decimal' && holding.specials && (fits || isUnbounded);
    }
    case 'number':
      return type === 'number' && holding.specials && (holding.bits === 53 || declared.single === true);
    // MySQL has other numbers in its booleans.
    case 'boolean':
      return type === 'boolean' && isPostgres;
    case 'text': {
      const { chars = Number.POSITIVE_INFINITY } = declared;
      const isLong = holding.chars >= chars && holding.bytes >= chars * CHARACTER_BYTES_MAX;
      return type === 'string' && isLong && !holding.padded && holding.planes && (holding.nul || isPostgres);
    }
    case 'date':
      return type === 'date' && isPostgres && holding.specials;
    case 'timestamp':
      return type === 'timestamp' && isPostgres && holding.specials && holding.digits >= TIME_DIGITS_MAX;
    case 'uuid':
      return declared.uuid === true && isPostgres;
    default:
      return false;
  }
}

function integersFit(
  { bits, unsigned = false }: DeclaredType,
  { min, max }: Extract<Holding, { kind: 'integer' }>,
): boolean {
  if (bits === undefined) return false;
  const half = 2n ** BigInt(bits - 1);
  return unsigned ? min <= 0n && max >= half * 2n - 1n : min <= -half && max >= half - 1n;
}
