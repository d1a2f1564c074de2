import { type ReactNode, useId } from 'react';
import { Problems } from '../../kit/text/problems.tsx';
import { useInputWords } from '../../texts/input-words.ts';
import { FieldControl, type FieldInputProps } from './field-control.tsx';
import { missingFor } from './form-schema.ts';

/** A field with its label, control and problems. */
export function FieldInput(props: FieldInputProps): ReactNode {
  const words = useInputWords();
  const { field, fields, values, problems, changed, controlId } = props;
  const problemId = useId();
  const missing = missingFor(field, fields, values);
  const hint = missing.length > 0 ? words.chooseFirst(missing.map((other) => other.label)) : null;
  return (
    <div className="field" data-type={field.type} data-changed={changed || undefined}>
      <div className="field-label">
        <label htmlFor={controlId}>{field.label}</label>
        {field.required && (
          <span className="field-required" aria-hidden="true">
            *
          </span>
        )}
        {changed && (
          <span className="field-changed" title={words.notSavedYet}>
            <span className="visually-hidden">{words.notSavedYet}</span>
          </span>
        )}
      </div>
      <FieldControl {...props} describedBy={problemId} hint={hint} />
      <Problems id={problemId} problems={problems} />
    </div>
  );
}
