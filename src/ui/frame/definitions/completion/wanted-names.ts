import type { YamlLevel, YamlPlace } from './yaml-place.ts';

/** Names that completion has to ask for. */
export type WantedNames =
  | { readonly kind: 'resources'; readonly connector: string }
  /** `resource` null: that of a connector with only one. */
  | { readonly kind: 'columns'; readonly connector: string; readonly resource: string | null }
  /** Columns of the rows that a step gives. */
  | { readonly kind: 'row'; readonly step: string };

const resourceKeys = ['table', 'collection', 'resource', 'entity', 'stream', 'file', 'sheet'];
/** Lists and maps of columns within arguments. */
const columnHolders = ['columns', 'sort', 'key', 'filter', 'set'];
const columnKeys = ['field', 'cursor_field'];

/** What the arguments of a call read; null where they name nothing, or an expression. */
export function resourceIn(args: ReadonlyMap<string, string>): string | null {
  const key = resourceKeys.find((name) => args.has(name));
  const value = key === undefined ? '' : (args.get(key) ?? '');
  return value === '' || value.includes('{{') ? null : value;
}

/** The names that fit a place; null where it takes none that a connector knows. */
export function wantedNames(place: YamlPlace): WantedNames | null {
  return wantedOfCall(place) ?? wantedOfStep(place);
}

function wantedOfCall({ levels, key }: YamlPlace): WantedNames | null {
  const at = levels.findIndex(
    ({ step }, index) => step === 'args' && levels[index - 1]?.entries.has('connector'),
  );
  const args = levels[at];
  const connector = levels[at - 1]?.entries.get('connector') ?? '';
  if (args === undefined || connector === '') return null;
  const inner = levels.slice(at + 1);
  if (inner.length === 0 && key !== null && resourceKeys.includes(key))
    return { kind: 'resources', connector };
  const isColumn =
    inner.length === 0 ? key !== null && columnKeys.includes(key) : isListed(inner, key, columnHolders);
  return isColumn ? { kind: 'columns', connector, resource: resourceIn(args.entries) } : null;
}

function wantedOfStep({ levels, key }: YamlPlace): WantedNames | null {
  const last = levels.at(-1);
  if (last === undefined) return null;
  const connector = last.entries.get('connector') ?? '';
  if (key === 'object' && last.entries.get('kind') === 'load' && connector !== '')
    return { kind: 'resources', connector };
  const cursor = levels.at(-2)?.entries;
  if (last.step === 'cursor' && key === 'field' && cursor?.get('kind') === 'extract')
    return rowsOf(cursor.get('id'));
  const at = levels.findLastIndex(({ entries }) => entries.has('kind') && entries.has('input'));
  const step = levels[at]?.entries;
  if (step === undefined) return null;
  const inner = levels.slice(at + 1);
  const isKey = step.get('kind') === 'load' && isListed(inner, key, ['key']);
  // Inside of one operation: `ops`, its item, the operation.
  const isField = inner[0]?.step === 'ops' && inner.length >= 3 && key === null;
  return isKey || isField ? rowsOf(step.get('input')) : null;
}

/** Whether an item or a key is typed in one of these lists or maps. */
function isListed(inner: readonly YamlLevel[], key: string | null, names: readonly string[]): boolean {
  const [holder, item, ...deeper] = inner;
  if (holder?.step === null || holder === undefined || key !== null) return false;
  return names.includes(holder.step) && (item === undefined || item.step === null) && deeper.length === 0;
}

function rowsOf(step: string | undefined): WantedNames | null {
  return step === undefined || step === '' ? null : { kind: 'row', step };
}
