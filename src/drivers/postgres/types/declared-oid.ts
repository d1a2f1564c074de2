import type { DeclaredType } from '../../types/declared-type.ts';

type Facets = Omit<DeclaredType, 'engine' | 'sql'>;
type Describe = (modifier: number) => readonly [sql: string, facets?: Facets];

const plain =
  (sql: string, facets?: Facets): Describe =>
  () =>
    facets === undefined ? [sql] : [sql, facets];

/** Modifiers of numbers and texts count from the length of a header. */
const HEADER = 4;

const text =
  (name: string, unbounded: string): Describe =>
  (modifier) =>
    modifier < HEADER ? [unbounded] : [`${name}(${modifier - HEADER})`, { chars: modifier - HEADER }];

const time =
  (name: string, zone: boolean): Describe =>
  (modifier) => [
    `${name}${modifier < 0 ? '' : `(${modifier})`} ${zone ? 'with' : 'without'} time zone`,
    { zone },
  ];

const bits =
  (name: string): Describe =>
  (modifier) => [modifier < 0 ? name : `${name}(${modifier})`];

/** Digits of a `numeric`, all of them and those after the point; null without a bound. */
export function numericDigits(
  modifier: number,
): { readonly precision: number; readonly scale: number } | null {
  if (modifier < HEADER) return null;
  // https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/numeric.c: 11 bits with a sign.
  const packed = modifier - HEADER;
  return { precision: packed >>> 16, scale: ((packed & 0x7ff) ^ 1_024) - 1_024 };
}

const numeric: Describe = (modifier) => {
  const digits = numericDigits(modifier);
  return digits === null ? ['numeric'] : [`numeric(${digits.precision},${digits.scale})`, digits];
};

/** Types whose text means the same everywhere, with their arrays; https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat. */
const TYPES: readonly (readonly [oid: number, arrayOid: number, describe: Describe])[] = [
  [16, 1000, plain('boolean')],
  [17, 1001, plain('bytea')],
  [18, 1002, plain('"char"')],
  [19, 1003, plain('name')],
  [20, 1016, plain('bigint', { bits: 64 })],
  [21, 1005, plain('smallint', { bits: 16 })],
  [23, 1007, plain('integer', { bits: 32 })],
  [25, 1009, plain('text')],
  [26, 1028, plain('oid', { bits: 32, unsigned: true })],
  [114, 199, plain('json')],
  [142, 143, plain('xml')],
  [600, 1017, plain('point')],
  [601, 1018, plain('lseg')],
  [602, 1019, plain('path')],
  [603, 1020, plain('box')],
  [604, 1027, plain('polygon')],
  [628, 629, plain('line')],
  [650, 651, plain('cidr')],
  [700, 1021, plain('real', { single: true })],
  [701, 1022, plain('double precision')],
  [718, 719, plain('circle')],
  [774, 775, plain('macaddr8')],
  [829, 1040, plain('macaddr')],
  [869, 1041, plain('inet')],
  [1042, 1014, text('character', 'bpchar')],
  [1043, 1015, text('character varying', 'character varying')],
  [1082, 1182, plain('date')],
  [1083, 1183, time('time', false)],
  [1114, 1115, time('timestamp', false)],
  [1184, 1185, time('timestamp', true)],
  [1186, 1187, plain('interval')],
  [1266, 1270, time('time', true)],
  [1560, 1561, bits('bit')],
  [1562, 1563, bits('bit varying')],
  [1700, 1231, numeric],
  [2950, 2951, plain('uuid', { uuid: true })],
  [3614, 3643, plain('tsvector')],
  [3802, 3807, plain('jsonb')],
  [3904, 3905, plain('int4range')],
  [3906, 3907, plain('numrange')],
  [3908, 3909, plain('tsrange')],
  [3910, 3911, plain('tstzrange')],
  [3912, 3913, plain('daterange')],
  [3926, 3927, plain('int8range')],
];

const describers: ReadonlyMap<number, Describe> = new Map(
  TYPES.flatMap(([oid, arrayOid, describe]): [number, Describe][] => [
    [oid, describe],
    [arrayOid, (modifier) => [`${arrayName(describe(modifier)[0])}`]],
  ]),
);

/** `time(3) without time zone[]`. */
function arrayName(sql: string): string {
  return `${sql}[]`;
}

/** The type as the source declares it; undefined of types that another database may not have, or reads differently, such as enums and `money`. */
export function declaredOid(oid: number, modifier: number): DeclaredType | undefined {
  const described = describers.get(oid)?.(modifier);
  if (described === undefined) return undefined;
  const [sql, facets] = described;
  return { engine: 'postgres', sql, ...facets };
}
