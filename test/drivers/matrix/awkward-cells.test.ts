// Long list: it tries every combination of many; quick: test/drivers/matrix/round-trip.test.ts, test/drivers/row-limits.test.ts.
import t from 'tap';
import { ConnectorError, type Row } from '../../../src/drivers/driver.ts';
import { column } from '../sql/engines.ts';
import { loadAll, type MatrixStore, readAll, stores } from './stores.ts';

const MB = 1_048_576;
const columns = [column('id', 'integer'), column('text', 'string')];

/** What a store answers to a row: the text that it has then, or why it takes none. */
async function answerOf(t: Parameters<MatrixStore['prepare']>[0], store: MatrixStore, text: string) {
  const connection = await (await store.prepare(t))(t);
  const row: Row = { id: 1, text };
  try {
    await loadAll(store, connection, 'cells', [{ columns, rows: [row] }]);
    return (await readAll(store, connection, 'cells')).flatMap(({ rows }) => rows.map((one) => one['text']));
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}

for (const store of stores) {
  const { name, skip } = store;

  t.test(`${name}: a cell of 10 MB goes in and comes out whole`, { skip }, async (t) => {
    const text = `begin ${'ü,"\n'.repeat(2 * MB)} end`;
    const answer = await answerOf(t, store, text);
    t.ok(Array.isArray(answer) && answer.length === 1 && answer[0] === text, String(answer).slice(0, 200));
  });

  t.test(`${name}: a text with NUL is kept, or its row is refused and says so`, { skip }, async (t) => {
    const answer = await answerOf(t, store, 'a\0b');
    if (name === 'postgres')
      t.match(answer, { fault: 'DATA', message: /has no place for the character U\+0000/ });
    else t.same(answer, ['a\0b']);
  });
}
