import { type Command, Option } from 'commander';
import type { LETTER_STATUSES } from '../operate/letters/dead-letters.ts';
import { LIST_LIMIT, toCount, toId, toIds, withConnection } from './option-values.ts';

const STATUSES_OF_LETTERS: typeof LETTER_STATUSES = ['open', 'replaying', 'replayed', 'discarded'];

/** `headgate dead-letters`: rows that failed, listed, shown and settled. */
export function addDeadLetters(program: Command): void {
  const letters = program
    .command('dead-letters')
    .description('list, show, replay or discard rows that failed')
    .addHelpText('after', '\nExample:\n  headgate dead-letters --job nightly --reasons');
  const list = whose(
    letters.command('list', { isDefault: true }).description('list dead letters, newest first'),
  )
    .addOption(
      new Option('--status <status>', 'filter by status').choices(STATUSES_OF_LETTERS).default('open'),
    )
    .option('--reasons', 'count the open ones by job and reason', false)
    .option('--limit <n>', 'maximum number of entries', toCount, LIST_LIMIT)
    .addHelpText('after', '\nExample:\n  headgate dead-letters list --run 112');
  withConnection(list).action(
    async (options: import('../operate/letters/dead-letters.ts').ListLettersOptions) => {
      const command = await import('../operate/letters/dead-letters.ts');
      process.exitCode = await command.listLetters(options);
    },
  );
  const show = letters
    .command('show')
    .description('show a dead letter: its row, the reason and where the row came from')
    .argument('<id>', 'id of the dead letter', toId)
    .addHelpText('after', '\nExample:\n  headgate dead-letters show 12');
  withConnection(show).action(
    async (id: number, options: import('../server/server-client.ts').ServerOptions) => {
      const command = await import('../operate/letters/dead-letter.ts');
      process.exitCode = await command.showLetter(id, options);
    },
  );
  addSettling(letters);
}

function addSettling(letters: Command): void {
  const ids = (command: Command) =>
    whose(command.argument('[id...]', 'ids of dead letters, instead of --job or --run', toIds));
  const replay = ids(letters.command('replay').description('reprocess open dead letters'))
    .option('--row <json>', 'the corrected row, for a single id; or @file')
    .addOption(
      new Option('--use <versions>', 'the task version that rejected the rows, or the current one')
        .choices(['snapshot', 'current'])
        .default('snapshot'),
    )
    .option('-y, --yes', 'replay without asking', false)
    .addHelpText(
      'after',
      `
Example:
  headgate dead-letters replay --job nightly --code UNFIT_VALUE --use current
  headgate dead-letters replay 12 --row '{"order_id": 1005, "amount": 9}'`,
    );
  withConnection(replay).action(
    async (ids: readonly number[], options: import('../operate/letters/settle-letters.ts').ReplayOptions) => {
      const command = await import('../operate/letters/settle-letters.ts');
      process.exitCode = await command.replayLetters(ids, options);
    },
  );
  const discard = ids(letters.command('discard').description('discard open dead letters'))
    .option('-y, --yes', 'discard without asking', false)
    .addHelpText('after', '\nExample:\n  headgate dead-letters discard --run 112 --code MALFORMED_RECORD');
  withConnection(discard).action(
    async (ids: readonly number[], options: import('../operate/letters/settle-letters.ts').SettleOptions) => {
      const command = await import('../operate/letters/settle-letters.ts');
      process.exitCode = await command.discardLetters(ids, options);
    },
  );
}

function whose(command: Command): Command {
  return command
    .option('--job <job>', 'of this job, by id or name')
    .option('--run <id>', 'of this run', toId)
    .option('--code <code>', 'filter by reason, such as UNFIT_VALUE');
}
