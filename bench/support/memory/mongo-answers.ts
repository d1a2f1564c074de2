import { Long } from 'mongodb';
import type { Command } from '../../../test/drivers/mongodb/document-store.ts';
import type { WireOptions } from '../../../test/drivers/mongodb/wire-server.ts';

const BATCH = 1_000;

/** Answers of a server that keeps nothing of what it is given, and has `rows` documents: what is measured is the runner. */
export function answerAsMongo(
  rows: number,
  commands: () => readonly Command[],
): NonNullable<WireOptions['answer']> {
  let given = 0;
  const page = (key: 'firstBatch' | 'nextBatch', ns: string) => {
    const count = Math.min(BATCH, rows - given);
    const batch = Array.from({ length: count }, (_, at) => documentOf(given + at));
    given += count;
    return { cursor: { [key]: batch, id: Long.fromNumber(given < rows ? 1 : 0), ns }, ok: 1 };
  };
  return (name, command) => {
    (commands() as Command[]).length = 0;
    const documents = (command as { readonly documents?: readonly unknown[] }).documents ?? [];
    if (name === 'insert') return { n: documents.length, ok: 1 };
    if (name === 'find' && command['find'] === 'people') {
      given = 0;
      return page('firstBatch', 'bench.people');
    }
    if (name === 'getMore') return page('nextBatch', 'bench.people');
    return undefined;
  };
}

function documentOf(id: number): object {
  return {
    _id: id,
    name: `Person ${id}`,
    email: `person${id}@example.com`,
    amount: id * 1.25,
    quantity: id % 100,
    active: id % 2 === 0,
    created_at: new Date(1_767_225_600_000 + id * 1_000),
    note: 'note note note note ',
  };
}
