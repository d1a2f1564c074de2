import { timestamp } from '../../base/clock.ts';
import { type Batch, type Column, ConnectorError, type Row } from '../../drivers/driver.ts';
import type { AuditColumns } from '../../language/task/steps/load-options.ts';

/** Adds the same values to every row of a load. The rows themselves stay as they are: others may read them too. */
export type Audit = (batch: Batch) => Batch;

const AS_THEY_ARE: Audit = (batch) => batch;

/** `loadedAt`: milliseconds since 1970. */
export function auditOf(
  names: AuditColumns | null,
  { runId, loadedAt }: { readonly runId: number; readonly loadedAt: number },
): Audit {
  const columns: Column[] = [];
  const values: Row = {};
  const add = (name: string | null, type: Column['type'], value: unknown) => {
    if (name === null) return;
    columns.push({ name, type, nullable: true });
    values[name] = value;
  };
  add(names?.runId ?? null, 'integer', runId);
  add(names?.loadedAt ?? null, 'timestamp', timestamp(loadedAt));
  if (columns.length === 0) return AS_THEY_ARE;
  return (batch) => {
    const taken = batch.columns.find(({ name }) => Object.hasOwn(values, name));
    if (taken !== undefined) {
      const message = `The rows have a column "${taken.name}" already; give the audit column another name`;
      throw new ConnectorError('CONFIG', message);
    }
    return {
      ...batch,
      columns: [...batch.columns, ...columns],
      rows: batch.rows.map((row) => ({ ...row, ...values })),
    };
  };
}
