import { type ReactNode, useId } from 'react';
import { isRow } from '../../../frame/records/row.ts';
import { parseExactJson } from '../../../kit/numbers/exact-number.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { ConnectorChoice } from '../../jobs/parts/connector-choices.tsx';

/** What a task is tried with. */
export interface TaskInput {
  /** Saved connectors by the task's names for them. */
  readonly connectors: Readonly<Record<string, number>>;
  /** A JSON object, as it is typed. */
  readonly args: string;
}

export const noInput: TaskInput = { connectors: {}, args: '{}' };

interface TaskInputsProps {
  readonly declared: Readonly<Record<string, { readonly type: string }>>;
  readonly value: TaskInput;
  onChange(value: TaskInput): void;
}

/** A saved connector for each that the task declares, and its arguments. */
export function TaskInputs({ declared, value, onChange }: TaskInputsProps): ReactNode {
  const id = useId();
  const { tasks } = useTexts();
  const choose = (name: string, connector: number | undefined) => {
    const { [name]: _, ...others } = value.connectors;
    onChange({ ...value, connectors: connector === undefined ? others : { ...others, [name]: connector } });
  };
  return (
    <div className="config-fields">
      {Object.entries(declared).map(([name, { type }]) => (
        <ConnectorChoice
          key={`${name} ${type}`}
          name={name}
          type={type}
          required
          description={null}
          value={value.connectors[name]}
          onChange={(connector) => choose(name, connector)}
        />
      ))}
      <div className="field config-field">
        <div className="field-label">
          <label htmlFor={id}>args</label>
        </div>
        <textarea
          id={id}
          className="field-box code-field"
          rows={2}
          value={value.args}
          onChange={({ target }) => onChange({ ...value, args: target.value })}
        />
        <p className="field-hint">{tasks.argsHint}</p>
      </div>
    </div>
  );
}

/** What is sent. Throws where the arguments are no JSON object. */
export function bodyOf({ connectors, args }: TaskInput, notAnObject: string) {
  const parsed = argsIn(args);
  if (parsed === null) throw new Error(notAnObject);
  return { connectors: { ...connectors }, args: parsed };
}

/** None where they are no JSON object. */
export function parsedArgs(args: string): Record<string, unknown> {
  return argsIn(args) ?? {};
}

function argsIn(text: string): Record<string, unknown> | null {
  try {
    const parsed = parseExactJson(text);
    return isRow(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}
