import type { Batch } from '../../../../src/drivers/driver.ts';

export const OBJECT = 'out/day={day}/{part}.csv';

/** One row for each day. */
export function dayRows(id: string, days: readonly unknown[]): Batch {
  return {
    columns: [
      { name: 'id', type: 'string', nullable: false },
      { name: 'day', type: 'string', nullable: true },
    ],
    rows: days.map((day) => ({ id, day })),
  };
}
