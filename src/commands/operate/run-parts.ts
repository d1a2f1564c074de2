import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';
import { cell, durationCell, printTable } from './cells.ts';

/** `headgate runs parts`: the parts of the newest attempt that offered some, with the executor that has or had each. */
export async function listRunParts(id: number, options: ServerOptions): Promise<number> {
  return perform(options, async (out) => {
    const { result } = await clientOf(options).GET('/api/runs/{id}/parts', { params: { path: { id } } });
    if (out.isJson) out.json({ result });
    const rows = result.map((part) => [
      String(part.number),
      cell(part.step_id),
      cell(part.label),
      part.state,
      cell(part.executor),
      String(part.attempts),
      String(part.rows),
      durationCell(tookMs(part)),
      cell(part.error),
    ]);
    printTable(
      out,
      ['part', 'step', 'range', 'state', 'executor', 'attempts', 'rows', 'took', 'error'],
      rows,
      {
        textColumns: 5,
        none: 'The run offered no parts to other executors.',
      },
    );
    return EXIT.ok;
  });
}

function tookMs({
  started_at,
  ended_at,
}: {
  started_at: string | null;
  ended_at: string | null;
}): number | null {
  return started_at === null || ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at);
}
