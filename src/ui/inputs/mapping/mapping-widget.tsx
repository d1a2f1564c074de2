import { type ReactNode, useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import type { WidgetBodyProps } from '../../kit/widget/widget-body.ts';
import { objectOf, textOf, type WidgetConfig } from '../../kit/widget/widget-config.ts';
import { InputHead } from '../editor/input-head.tsx';
import type { OptionSearch } from '../field/form-schema.ts';
import { MappingEditor } from './mapping-editor.tsx';
import { type MappingRow, readRows, transformedPairs } from './mapping-rows.ts';
import { MappingView } from './mapping-view.tsx';

interface MappingPayload {
  readonly schema: WidgetConfig;
  readonly rows: unknown;
  readonly version: number;
  readonly readonly: boolean;
  readonly reason: string | null;
}

/** How the options of one side are searched; null where anything may be typed. */
export type SideSearch = OptionSearch | null;

export interface MappingParts {
  readonly rows: readonly MappingRow[];
  readonly version: number;
  readonly transformed: ReadonlySet<string>;
  readonly source: SideSearch;
  readonly target: SideSearch;
}

/** Which field goes where: rows of a source and a target over a part of the job's configuration. */
export function MappingWidget({ widgetId, data, title, hasTitle }: WidgetBodyProps): ReactNode {
  const payload = objectOf<MappingPayload>(data, 'a field mapping');
  const parts = useMemo(() => readMapping(data), [data]);
  const schema = payload.schema ?? {};
  return (
    <div className="input-widget">
      <InputHead
        title={hasTitle ? null : textOf(schema, 'title')}
        description={textOf(schema, 'description')}
        readonlyReason={payload.readonly ? (payload.reason ?? 'This mapping can only be read here.') : null}
      />
      {!payload.readonly ? (
        <MappingEditor widgetId={widgetId} title={title} parts={parts} readParts={readMapping} />
      ) : parts.rows.length === 0 ? (
        <EmptyState>Nothing is mapped</EmptyState>
      ) : (
        <MappingView parts={parts} />
      )}
    </div>
  );
}

function readMapping(data: unknown): MappingParts {
  const payload = objectOf<MappingPayload>(data, 'a field mapping');
  return {
    rows: readRows(payload.rows),
    version: payload.version ?? 0,
    transformed: transformedPairs(payload.rows),
    source: searchOf(payload.schema?.['source']),
    target: searchOf(payload.schema?.['target']),
  };
}

function searchOf(side: unknown): SideSearch {
  if (typeof side !== 'object' || side === null) return null;
  return ((side as { search?: OptionSearch }).search ?? 'none') as OptionSearch;
}
