import { type ReactNode, useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import type { WidgetBodyProps } from '../../kit/widget/widget-body.ts';
import { objectOf, textOf } from '../../kit/widget/widget-config.ts';
import { InputHead } from '../editor/input-head.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { type MappingPayload, readMapping } from './mapping-rows.ts';
import { MappingView } from './mapping-view.tsx';

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
        <MappingEditor widgetId={widgetId} title={title} parts={parts} />
      ) : parts.rows.length === 0 ? (
        <EmptyState>Nothing is mapped</EmptyState>
      ) : (
        <MappingView parts={parts} />
      )}
    </div>
  );
}
