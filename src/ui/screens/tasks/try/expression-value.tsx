import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { TypedBeside } from '../../../frame/definitions/definition-editor.tsx';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { cellText } from '../../../frame/records/letter-text.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useSettled } from '../../../kit/use-settled.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { rowExpressionAt } from './row-expression.ts';
import type { ShownStep } from './step-preview.tsx';

interface ExpressionValueProps {
  readonly typed: TypedBeside;
  readonly args: Readonly<Record<string, unknown>>;
  /** Of the job that is chosen. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Of the last preview. */
  readonly steps: readonly ShownStep[];
}

const settleMs = 400;

/** What the expression at the cursor gives for a row of the preview, as one types. */
export function ExpressionValue({ typed, args, config, steps }: ExpressionValueProps): ReactNode {
  const api = useApi();
  const { tasks } = useTexts();
  const [chosen, setChosen] = useState(0);
  const found = useMemo(() => rowExpressionAt(typed.text, typed.cursor), [typed.text, typed.cursor]);
  const expression = useSettled(found, settleMs);
  const rows = steps.find(({ step_id }) => step_id === expression?.input)?.rows ?? [];
  const at = Math.min(chosen, Math.max(rows.length - 1, 0));
  const row = rows[at];
  const query = useQuery({
    queryKey: ['evaluated', expression, row, args, config, typed.text],
    queryFn: ({ signal }) => {
      if (expression === null || row === undefined) throw new Error('Nothing to evaluate');
      const { source, step, opsBefore } = expression;
      const body = {
        yaml_content: typed.text,
        step,
        ops_before: opsBefore,
        expression: source,
        row: { ...row },
        args: { ...args },
        job_config: { ...config },
      };
      return api.POST('/api/tasks/evaluate', { body, signal });
    },
    enabled: expression !== null && row !== undefined,
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  const { data, error } = query;
  return (
    <section className="expression-value stack" aria-labelledby="expression-value">
      <h3 id="expression-value">{tasks.expression}</h3>
      {expression === null || row === undefined ? (
        <p className="field-hint">
          {expression === null ? tasks.expressionHint : tasks.noRowFor(expression.input)}
        </p>
      ) : (
        <>
          <p>
            <code>{expression.source}</code>
          </p>
          <SelectField
            label={tasks.expressionRow(expression.input)}
            value={String(at)}
            onChange={(next) => setChosen(Number(next))}
            options={rows.map((one, index) => [String(index), `${index + 1}: ${cellText(one)}`])}
          />
          <FormProblem error={error} />
          {data !== undefined && error === null && (
            <output className="expression-result" aria-busy={query.isFetching}>
              {data.problem === null ? (
                <code>{JSON.stringify(data.value, null, 2)}</code>
              ) : (
                <span className="record-error">
                  {data.problem.position === null
                    ? data.problem.message
                    : tasks.expressionAt(data.problem.position + 1, data.problem.message)}
                </span>
              )}
            </output>
          )}
        </>
      )}
    </section>
  );
}
