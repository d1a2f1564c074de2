import type { Connection, Row, Writer } from '../../../src/drivers/driver.ts';
import { runTask } from '../../../src/engine/run-task.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { contextOf, createKeeper, driversWith, inputOf } from '../support/task-run.ts';

/** What a query makes of a file, and whether the engine read the file itself. */
export function queriesOf(type: 'csv' | 'parquet', folder: string) {
  return async (query: string, byRows: boolean, file = `in.${type}`) => {
    const rows: Row[] = [];
    let taken = false;
    const writer: Writer = {
      alreadyDone: null,
      write: async (batch) => void rows.push(...batch.rows),
      commit: async () => ({ rows: rows.length }),
      abort: async () => undefined,
    };
    const source = driversWith(type, (connection): Connection => {
      const { engineFile, ...others } = connection;
      if (byRows) return others;
      const read: Connection['read'] = (request) => {
        taken = false;
        return connection.read(request);
      };
      return {
        ...connection,
        read,
        engineFile: async (request) => {
          const found = (await engineFile?.(request)) ?? null;
          taken = found !== null;
          return found;
        },
      };
    });
    const dummy = driversWith('dummy', (connection) => ({ ...connection, openWriter: async () => writer }));
    const yaml = `
version: 1
name: file
connectors: { source: {type: ${type}}, target: {type: dummy} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: query, kind: sql, inputs: {t: read}, query: ${JSON.stringify(query)} }
  - { id: write, kind: load, input: query, connector: target, object: out }
`;
    const drivers = {
      get: (name: string) => (name === type ? source : name === 'dummy' ? dummy : allDrivers).get(name),
    };
    const connectors = {
      source: { type, config: { path: file } },
      target: { type: 'dummy', config: {} },
    };
    const run = { folder, yaml, connectors, drivers };
    const keeper = createKeeper();
    const outcome = await runTask(inputOf(run), keeper.ports, contextOf(run));
    const { status, failure, steps } = outcome;
    return {
      taken,
      keeper,
      made: { status, failure, rows, read: steps.find(({ step_id }) => step_id === 'read')?.rows_out },
    };
  };
}
