import { isRecord } from '../../../base/json.ts';
import { type Check, connected, methodOf, requireThat, rowsOf, type Subject } from './check.ts';

async function checkState(subject: Subject): Promise<null> {
  return connected(subject, async (connection) => {
    const { read } = subject.sample;
    const states: unknown[] = [];
    let given = 0;
    const { signal } = new AbortController();
    const state = { saved: null, onState: (one: unknown) => void states.push(one) };
    for await (const { rows } of connection.read({ ...read, signal, state, batchRows: 1 })) {
      requireThat(given > 0 || states.length === 0, 'A state is reported before its rows were returned');
      given += rows.length;
    }
    requireThat(states.length > 0, 'No state is reported');
    const saved: unknown = JSON.parse(JSON.stringify(states.at(-1)));
    const more = await rowsOf(connection, read, { state: { saved, onState: () => undefined } });
    requireThat(more.length < given, `From the last state on, all ${more.length} rows come again`);
    return null;
  });
}

async function checkConditions(subject: Subject, arg: string): Promise<string | null> {
  return connected(subject, async (connection) => {
    const { method, args } = subject.sample.read;
    const rows = await rowsOf(connection, subject.sample.read);
    const [first] = rows;
    const field = Object.keys(first ?? {}).find((name) => rows.every((row) => typeof row[name] === 'number'));
    if (field === undefined) return 'the sample has no column of numbers alone';
    const values = rows.map((row) => Number(row[field])).sort((a, b) => a - b);
    const bound = values[0] ?? 0;
    const above = { ...(isRecord(args) ? args : {}), [arg]: { [field]: { gt: bound } } };
    const found = await rowsOf(connection, { method, args: above });
    const expected = values.filter((value) => value > bound).length;
    requireThat(
      found.length === expected,
      `"${field}" greater than ${bound} gives ${found.length} rows, not ${expected}`,
    );
    return null;
  });
}

/** The cursors of incremental reads. */
export const CURSORS: readonly Check[] = [
  {
    name: 'cursor: a read continues where the last one ended',
    run: async (subject) => {
      const { cursor } = methodOf(subject, subject.sample.read);
      if (cursor?.kind === 'state') return checkState(subject);
      if (cursor?.kind === 'conditions') return checkConditions(subject, cursor.arg);
      return 'the arguments of the method read the cursor themselves';
    },
  },
];
