import type { ReactNode } from 'react';
import { useCatalogue, useTexts } from '../../../texts/texts-context.tsx';
import type { RunStep } from './step-table.tsx';

/** What targets of the run do not have of its rows: values that lost something, and rows that were dropped; nothing for most runs. */
export function Losses({ steps }: { readonly steps: readonly RunStep[] }): ReactNode {
  const { run } = useTexts();
  const { locale } = useCatalogue();
  const losses = steps.flatMap(({ step_id, losses }) => losses.map((loss) => ({ ...loss, step_id })));
  if (losses.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="run-losses">
      <h2 id="run-losses">{run.losses}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="scroller" aria-label={run.losses} tabIndex={0}>
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{run.column}</th>
              <th scope="col">{run.table}</th>
              <th scope="col">{run.lost}</th>
              <th scope="col">{run.step}</th>
            </tr>
          </thead>
          <tbody>
            {losses.map(({ step_id, object, column, count }) => (
              <tr key={JSON.stringify([step_id, object, column])}>
                <th scope="row">{column ?? run.droppedRows}</th>
                <td>{object}</td>
                <td>{count.toLocaleString(locale)}</td>
                <td>{step_id}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
