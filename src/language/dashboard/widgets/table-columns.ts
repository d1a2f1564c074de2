import { isRecord } from '../../../base/json.ts';
import { type MapReader, typeName } from '../../yaml/map-reader.ts';
import {
  aCellExpression,
  aField,
  aFormat,
  anItemExpression,
  aText,
  type KeyCheck,
  LEVELS,
  listOf,
  oneOf,
  type PublicKeys,
} from './widget-kind.ts';

const BADGE_LEVELS: readonly string[] = [...LEVELS, 'neutral'];

/** `badge: true`, or a map from a cell's text to its level. */
const aBadge: KeyCheck = (reader, key) => {
  const badge = reader.value(key);
  if (badge === null || typeof badge === 'boolean') return;
  if (!isRecord(badge)) {
    reader.wrong(key, `"${key}" must be true, false or a map from text to level, not ${typeName(badge)}`);
    return;
  }
  for (const [text, level] of Object.entries(badge)) {
    if (typeof level === 'string' && BADGE_LEVELS.includes(level)) continue;
    reader.check.add(reader.at(key, text), `A badge's level must be one of ${BADGE_LEVELS.join(', ')}`);
  }
};

/** The columns of a table or an explorer. */
export const columns: KeyCheck = listOf(
  {
    key: aField,
    label: aText,
    value_expr: anItemExpression,
    format: aFormat,
    align: oneOf('left', 'center', 'right'),
    href_expr: aCellExpression,
    badge: aBadge,
  },
  ['key'],
);

export const PUBLIC_COLUMNS: PublicKeys = { key: true, label: true, format: true, align: true };

/** `sort: name`, or `-name` for descending, naming one of the columns where columns are declared. */
export function checkSort(reader: MapReader): void {
  const sort = reader.text('sort');
  const declared = reader.value('columns');
  if (sort === null || reader.check.isPlaceholder(sort) || !Array.isArray(declared)) return;
  const keys = declared.map((column) => (isRecord(column) ? column['key'] : null));
  if (!keys.includes(sort.replace(/^-/, '')))
    reader.wrong('sort', `"sort" must name a column, not "${sort}"`);
}
