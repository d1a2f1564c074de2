import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { CopyButton } from '../forms/copy-button.tsx';
import { CodeText } from './code-text.tsx';

interface JsonViewProps {
  readonly title: string;
  /** Null or an empty object: there is none. */
  readonly value: unknown;
}

/** A value as indented JSON, with its name. */
export function JsonView({ title, value }: JsonViewProps): ReactNode {
  const { runs } = useTexts();
  const isEmpty =
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
  const text = isEmpty ? '' : JSON.stringify(value, null, 2);
  return (
    <div>
      <div className="panel-head">
        <h3>{title}</h3>
        {!isEmpty && <CopyButton text={text} />}
      </div>
      {isEmpty ? <p className="field-hint">{runs.nothing}</p> : <CodeText label={title}>{text}</CodeText>}
    </div>
  );
}
