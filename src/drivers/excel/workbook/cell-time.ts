/** A cell that shows a day or a time: Excel holds a number of days, and only the cell's format says what it means. */
export class CellTime {
  readonly type: 'date' | 'timestamp' | 'time';
  /** RFC 3339, without a zone: Excel has none. */
  readonly text: string;

  constructor(type: CellTime['type'], text: string) {
    this.type = type;
    this.text = text;
  }
}

const ISO = /^(?:(\d{4}-\d\d-\d\d)(?:T|$))?(\d\d:\d\d:\d\d(?:\.\d{1,9})?)?Z?$/;

/** The time that a cell of type `d` holds as text, as strict workbooks write days and times; null for anything else. */
export function isoCellTime(text: string): CellTime | null {
  const [, day, ofDay] = ISO.exec(text) ?? [];
  if (day !== undefined && Number.isNaN(Date.parse(day))) return null;
  const time = ofDay?.replace(/\.0+$/, '');
  if (day === undefined) return time === undefined ? null : new CellTime('time', time);
  return time === undefined || time === '00:00:00'
    ? new CellTime('date', day)
    : new CellTime('timestamp', `${day}T${time}`);
}

export type TimeFormat = 'date' | 'time' | null;

const DAY_MS = 86_400_000;
/** Day 0. Excel counts a 29th of February 1900, so that the days before it begin a day later. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const FICTIONAL_DAY = 60;
const YEAR_MAX = 9_999;

/** Formats that have a number and no text in the file: ECMA-376 part 1, 18.8.30, with those of East Asian locales. */
function builtInFormat(id: number): TimeFormat {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58))
    return 'date';
  return (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47 ? 'time' : null;
}

/** What a format shows of a number. Elapsed time (`[h]:mm`) is a number: it is no time of day. `code`: null for a built-in one. */
export function timeFormatOf(id: number, code: string | null): TimeFormat {
  if (code === null) return builtInFormat(id);
  if (/\[(h+|m+|s+)\]/i.test(code)) return null;
  const shown = code
    .replace(/\\.|_.|\*.|"[^"]*"|\[[^\]]*\]/g, '')
    .replace(/AM\/PM|A\/P/gi, 'h')
    .replace(/;.*/s, '')
    .toLowerCase();
  if (/general|[0#?]/.test(shown.replace(/s\.0+/g, 's'))) return null;
  if (/[yd]/.test(shown)) return 'date';
  if (/[hs]/.test(shown)) return 'time';
  return shown.includes('m') ? 'date' : null;
}

/** The time that a number of days stands for; the number itself where it is none. */
export function cellTime(days: number, format: 'date' | 'time', is1904: boolean): CellTime | number {
  const epoch = is1904 ? EPOCH_1904 : EPOCH_1900 + (days < FICTIONAL_DAY ? DAY_MS : 0);
  const time = new Date(epoch + Math.round(days * DAY_MS));
  if (days < 0 || Number.isNaN(time.getTime()) || time.getUTCFullYear() > YEAR_MAX) return days;
  const text = time.toISOString().replace(/(?:\.000)?Z$/, '');
  const [day = '', ofDay = ''] = text.split('T');
  if (format === 'time' && days < 1) return new CellTime('time', ofDay);
  const isMidnight = ofDay === '00:00:00';
  return format === 'date' && isMidnight ? new CellTime('date', day) : new CellTime('timestamp', text);
}
