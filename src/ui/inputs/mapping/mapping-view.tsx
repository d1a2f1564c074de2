import type { ReactNode } from 'react';
import { noValue } from '../../kit/format-value.ts';
import { Icon } from '../../kit/icon.tsx';
import { useInputWords } from '../../texts/input-words.ts';
import { type MappingParts, pairOf } from './mapping-rows.ts';

/** A mapping, read-only. */
export function MappingView({ parts }: { readonly parts: MappingParts }): ReactNode {
  const words = useInputWords();
  return (
    <ul className="mapping-view">
      {parts.rows.map((row) => (
        <li key={row.id}>
          <span>{row.source || noValue}</span>
          <Icon name="arrow" size={14} />
          <span className="visually-hidden">{words.mapping.mapsTo}</span>
          <span>{row.target || noValue}</span>
          {parts.transformed.has(pairOf(row.source, row.target)) && <TransformedBadge />}
        </li>
      ))}
    </ul>
  );
}

/** Marks a row whose values the server transforms. */
export function TransformedBadge(): ReactNode {
  const words = useInputWords();
  return (
    <span className="badge" data-tone="info" title={words.mapping.transformedHint}>
      {words.mapping.transformed}
    </span>
  );
}
