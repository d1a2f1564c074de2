export interface SampledRows {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** `id`, `order_id`, `Bestell-Nr`. */
const namesKey = /^(.*[ _.-])?(id|nr|no|num|number|key|code|sku|uuid)\.?$/i;
/** `orderId`. */
const endsInKey = /\p{Ll}(Id|ID|Nr|No|Key)$/u;
const rowsMin = 2;

/**
 * The column that tells the sampled rows apart: one that is named as a key, else the first. Null where its values repeat or are missing in
 * the sample, which proves that it is no key; that they do not proves nothing, so whoever reads the proposal decides.
 */
export function likelyKey({ columns, rows }: SampledRows): string | null {
  const isUnique = (name: string) => {
    const values = rows.map((row) => row[name]);
    return values.every(isScalar) && new Set(values).size === rows.length;
  };
  const named = columns.find(({ name }) => (namesKey.test(name) || endsInKey.test(name)) && isUnique(name));
  const [first] = columns;
  if (named !== undefined) return named.name;
  return first !== undefined && rows.length >= rowsMin && isUnique(first.name) ? first.name : null;
}

function isScalar(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}
