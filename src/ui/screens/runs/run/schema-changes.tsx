import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import type { RunStep } from './step-table.tsx';

/** The columns that loads of the run have added or given another type; nothing for a run without any. */
export function SchemaChanges({ steps }: { readonly steps: readonly RunStep[] }): ReactNode {
  const { run } = useTexts();
  const changes = steps.flatMap(({ step_id, schema_changes }) =>
    schema_changes.map((change) => ({ ...change, step_id })),
  );
  if (changes.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="run-schema-changes">
      <h2 id="run-schema-changes">{run.schemaChanges}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="scroller" aria-label={run.schemaChanges} tabIndex={0}>
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{run.column}</th>
              <th scope="col">{run.table}</th>
              <th scope="col">{run.typeBefore}</th>
              <th scope="col">{run.typeAfter}</th>
              <th scope="col">{run.step}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ step_id, object, column, from, to, on_change }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column may change more than once, and the list does not
              <tr key={index}>
                <th scope="row">{column}</th>
                <td>{object}</td>
                <td>{from ?? run.newColumn}</td>
                <td>
                  {to}
                  {on_change !== undefined && (
                    <span className="record-id"> · {wordOf(run.followUps, on_change)}</span>
                  )}
                </td>
                <td>{step_id}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
