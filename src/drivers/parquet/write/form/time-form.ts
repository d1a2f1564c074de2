import type { ColumnBuffer } from '../chunk/column-buffer.ts';
import type { ColumnForm, FormOf } from './form.ts';
import { putFixed, putLong } from './put-values.ts';
import { dateDays, momentCount, plainMicros, timeMicros } from './time-count.ts';

const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/;
const YEAR_MIN = '0000-01-01';
const YEAR_MAX = '9999-12-31';
/** About as far as 64 bits of nanoseconds reach. */
const NANOS_MIN = '1677-09-22';
const NANOS_MAX = '2262-04-11';

export function dateForm({ base, cellOf }: FormOf): ColumnForm {
  const cell = cellOf({ kind: 'date', min: YEAR_MIN, max: YEAR_MAX, specials: false });
  const put = ({ ints, used }: ColumnBuffer, value: unknown) => {
    const days = typeof value === 'string' ? dateDays(value) : Number.NaN;
    ints[used >> 2] = Number.isNaN(days) ? dateDays(String(cell(value))) : days;
  };
  const element = { ...base, type: 'INT32', converted_type: 'DATE' } as const;
  return { element, order: 'days', width: 4, put: putFixed(4, put) };
}

/** The first value says whether times have a zone, where there is one. */
export function timestampForm({ column: { declared }, base, first, cellOf }: FormOf): ColumnForm {
  const isLocal = typeof first === 'string' ? !ZONED.test(first) : declared?.zone === false;
  const isNanos = declared?.sql.startsWith('timestamp(nanos') === true;
  const digits = isNanos ? 9 : 6;
  const cell = cellOf({
    kind: 'timestamp',
    digits,
    zone: !isLocal,
    min: `${isNanos ? NANOS_MIN : YEAR_MIN}T00:00:00`,
    max: isNanos ? `${NANOS_MAX}T00:00:00` : `${YEAR_MAX}T23:59:59.999999`,
    specials: false,
  });
  const put = (to: ColumnBuffer, value: unknown) => {
    const micros = typeof value === 'string' && !isNanos ? plainMicros(value, isLocal) : Number.NaN;
    if (Number.isSafeInteger(micros)) putLong(to, micros);
    else to.longs[to.used >> 3] = momentCount(String(cell(value)), digits);
  };
  const unit = isNanos ? 'NANOS' : 'MICROS';
  const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: !isLocal, unit } as const;
  return {
    element: { ...base, type: 'INT64', logical_type },
    order: 'long',
    width: 8,
    put: putFixed(8, put),
  };
}

/** Times of day that a Parquet file has declared; null for others, some of which are durations or have a zone. */
export function timeForm({ column: { declared }, base, cellOf }: FormOf): ColumnForm | null {
  if (declared?.engine !== 'parquet' || !/^time\(mi/.test(declared.sql)) return null;
  const cell = cellOf({ kind: 'time', digits: 6, max: '23:59:59.999999', signed: false, zone: false });
  const put = (to: ColumnBuffer, value: unknown) => {
    const micros = typeof value === 'string' ? timeMicros(value) : Number.NaN;
    putLong(to, Number.isNaN(micros) ? timeMicros(String(cell(value))) : micros);
  };
  const logical_type = { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } as const;
  return {
    element: { ...base, type: 'INT64', logical_type },
    order: 'long',
    width: 8,
    put: putFixed(8, put),
  };
}
