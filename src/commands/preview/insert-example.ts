import { isSeq, parseDocument, stringify } from 'yaml';
import type { RecordedExample } from '../../engine/preview/record-example.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';

/**
 * A task's YAML with one more item at the end of its `tests`; all else stays as it is written. Throws `CommandError` where the name is
 * taken, or where `tests` are written in brackets.
 */
export function insertExample(yaml: string, example: RecordedExample): string {
  const document = parseDocument(yaml);
  const tests = document.get('tests', true);
  const text = stringify([example], { lineWidth: 0 });
  if (tests === undefined || tests === null)
    return `${yaml.replace(/\n*$/, '\n')}\ntests:\n${indented(text, 2)}`;
  if (!isSeq(tests)) {
    if (document.get('tests') !== null)
      throw new CommandError(EXIT.usage, 'The "tests" of the task are not a list');
    throw new CommandError(EXIT.usage, 'Remove the empty "tests:" of the task first');
  }
  if (tests.flow === true)
    throw new CommandError(
      EXIT.usage,
      'The "tests" of the task are written in [brackets]; write them as a list with dashes',
    );
  const names = tests.items.map((_, index) => document.getIn(['tests', index, 'name']));
  if (names.includes(example.name))
    throw new CommandError(
      EXIT.usage,
      `The task has an example "${example.name}" already; choose another name`,
    );
  const [start = 0, end = yaml.length] = tests.range ?? [];
  const column = start - (yaml.lastIndexOf('\n', start - 1) + 1);
  const before = yaml.slice(0, end).replace(/\s*$/, '\n');
  const after = yaml.slice(end).replace(/^\n*/, '');
  return before + indented(text, column) + (after === '' ? '' : `\n${after}`);
}

function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}
