import { type ReactNode, useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import type { WidgetBodyProps } from '../../kit/widget/widget-body.ts';
import { objectOf, textOf } from '../../kit/widget/widget-config.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { InputHead } from '../editor/input-head.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { type MappingPayload, readMapping } from './mapping-rows.ts';
import { MappingView } from './mapping-view.tsx';

/** A mapping of source fields to target fields in a part of the job's configuration. */
export function MappingWidget({ widgetId, data, title, hasTitle }: WidgetBodyProps): ReactNode {
  const words = useInputWords();
  const payload = objectOf<MappingPayload>(data, 'a field mapping');
  const parts = useMemo(() => readMapping(data), [data]);
  const schema = payload.schema ?? {};
  return (
    <div className="input-widget">
      <InputHead
        title={hasTitle ? null : textOf(schema, 'title')}
        description={textOf(schema, 'description')}
        readonlyReason={payload.readonly ? (payload.reason ?? words.mapping.readOnly) : null}
      />
      {!payload.readonly ? (
        <MappingEditor widgetId={widgetId} title={title} parts={parts} />
      ) : parts.rows.length === 0 ? (
        <EmptyState>{words.mapping.none}</EmptyState>
      ) : (
        <MappingView parts={parts} />
      )}
    </div>
  );
}
