import { isRecord } from '../../../base/json.ts';
import { type CommandOutput, printable } from '../../kit/command-output.ts';
import { EXIT } from '../../kit/exit-code.ts';
import { perform } from '../../kit/perform.ts';
import { layOutTable } from '../../kit/text/lay-out-table.ts';
import { clientOf, type ServerOptions } from '../../server/server-client.ts';
import { timeCell } from '../cells.ts';
import { originText } from './dead-letters.ts';

/** `headgate dead-letters show`: one row that failed, whole, with its reason and where it came from. */
export async function showLetter(id: number, options: ServerOptions): Promise<number> {
  return perform(options, async (out) => {
    const letter = await clientOf(options).GET('/api/dead-letters/{id}', { params: { path: { id } } });
    if (out.isJson) out.json(letter);
    const { run_id, job_id, job_name, run_task_name, step_id, status, code, message, item, column } = letter;
    const whose =
      job_name === null
        ? `the task "${printable(run_task_name)}"`
        : `"${printable(job_name)}" (job ${job_id})`;
    out.line(`Dead letter ${id} of ${whose}, run ${run_id}, step ${printable(step_id)}: ${status}`);
    out.line(`${out.paint('red', printable(code))}: ${printable(message)}`);
    const from = letter.origin === null ? '' : `, from ${printable(originText(letter.origin))}`;
    out.line(`Created ${timeCell(letter.created_at)}${from}`);
    if (letter.replay_of !== null) out.line(`Replays dead letter ${letter.replay_of}`);
    if (letter.replay_run_id !== null) out.line(`Last replayed in run ${letter.replay_run_id}`);
    showRow('row', item, column, out);
    if (letter.replay_item !== null) showRow('replayed as', letter.replay_item, null, out);
    if (status === 'open') {
      out.line();
      // A record that could not be split has no row.
      if (code !== 'MALFORMED_RECORD') out.line(`Replay it unchanged: headgate dead-letters replay ${id}`);
      out.line(`Replay it corrected: headgate dead-letters replay ${id} --row '{…}'`);
    }
    return EXIT.ok;
  });
}

/** The values as JSON, the one at fault marked. */
function showRow(head: string, item: unknown, fault: string | null, out: CommandOutput): void {
  const entries = isRecord(item) ? Object.entries(item) : [['', item] as const];
  const rows = entries.map(([name, value]) => [printable(name), printable(JSON.stringify(value))]);
  const [first = '', ...lines] = layOutTable([[head, ''], ...rows], 2);
  out.line(`\n${out.paint('bold', first)}`);
  for (const [index, line] of lines.entries())
    out.line(entries[index]?.[0] === fault && fault !== null ? out.paint('red', line) : line);
}
