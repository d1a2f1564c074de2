import { integerBounds, type TypeBounds, type TypeWidening } from '../../types/type-bounds.ts';
import { declaredType } from '../column-type.ts';

const INTEGER = integerBounds(64);

/** SQLite bounds neither texts nor decimals. A key keeps its type: what refers to it compares by that. */
export const sqliteWidening: TypeWidening = {
  boundsOf({ column: { type } }): TypeBounds | null {
    if (type === 'integer') return INTEGER;
    return type === 'date' ? { kind: 'date' } : null;
  },
  typeFor(bounds, { column: { key = false }, isKey }) {
    if (key || isKey) return null;
    return declaredType(bounds.kind === 'timestamp' ? 'timestamp' : 'decimal');
  },
};
