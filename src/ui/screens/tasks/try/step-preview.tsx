import type { ReactNode } from 'react';
import { cellText } from '../../../frame/records/letter-text.ts';
import { isRow } from '../../../frame/records/row.ts';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { ValueTable } from '../../../frame/records/value-table.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

/** One step of a preview, as the API gives it. */
export interface ShownStep {
  readonly step_id: string;
  readonly kind: string;
  readonly status: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rows_in: number;
  readonly rows_failed: number;
  readonly rows_filtered: number;
  readonly errors: readonly { readonly code: string; readonly message: string; readonly item: unknown }[];
  readonly warnings: readonly string[];
  readonly would: unknown;
  readonly output: unknown;
}

/** What a step did with the rows of a preview: its rows, what failed, and what it would have done outside. */
export function StepPreview({ step }: { readonly step: ShownStep }): ReactNode {
  const { tasks } = useTexts();
  const { step_id, kind, status, rows, rows_in, rows_failed, rows_filtered, errors, warnings } = step;
  return (
    <li aria-label={step_id}>
      <div className="preview-head">
        <strong>{step_id}</strong> <span className="record-id">{kind}</span> <StatusBadge status={status} />
        {status !== 'skipped' && (
          <span className="record-facts">
            {tasks.previewRows(rows_in, rows.length, rows_filtered, rows_failed)}
          </span>
        )}
      </div>
      {step.would !== null && (
        <p className="record-facts">
          <Effect would={step.would} />
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="record-facts">
          {warning}
        </p>
      ))}
      {errors.map(({ message, item }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may fail in the same way
        <p key={index} className="record-error" title={cellText(item)}>
          {message}
        </p>
      ))}
      {step.output !== null && step.output !== undefined && (
        <p className="record-facts">
          <code>{cellText(step.output)}</code>
        </p>
      )}
      {rows.length > 0 && <Rows label={step_id} rows={rows} />}
    </li>
  );
}

/** What the step would have done outside: of a load in words. */
function Effect({ would }: { readonly would: unknown }): ReactNode {
  const { tasks } = useTexts();
  if (isRow(would) && would['action'] === 'load') {
    const { rows, object, mode, key, deletes_missing: deletes, verify } = would;
    const keys = Array.isArray(key) ? key.map(String) : [];
    return tasks.wouldLoad({
      rows: Number(rows),
      object: String(object),
      mode: String(mode),
      keys,
      deletes: deletes === true,
      isVerified: typeof verify === 'string',
    });
  }
  if (isRow(would) && would['action'] === 'verify')
    return tasks.wouldVerify(String(would['source']), String(would['target']));
  return (
    <>
      {tasks.would} <code>{JSON.stringify(would)}</code>
    </>
  );
}

interface RowsProps {
  readonly label: string;
  readonly rows: ShownStep['rows'];
}

function Rows({ label, rows }: RowsProps): ReactNode {
  const { connectors } = useTexts();
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <ValueTable label={connectors.rowsOf(label)} columns={names.map((name) => ({ name }))} rows={rows} />
  );
}
