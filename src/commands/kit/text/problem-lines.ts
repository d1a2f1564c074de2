import { joinProblems, type Problem } from '../../../base/errors.ts';

/**
 * A message and its problems for a terminal, each said once and on a line of its own. The message of an error with several
 * problems says the first of them itself (`joinProblems`), after words of its own or alone.
 */
export function problemLines(message: string, problems: readonly Problem[]): string {
  if (problems.length === 0) return message;
  const lines = problems.map(lineOf);
  const [only] = lines;
  const lead = ownWords(message, problems);
  if (lead === '') return lines.length === 1 ? `${only}` : indented(`${lines.length} problems:`, lines);
  return indented(lead, lines);
}

/** What the message says besides the problems. */
function ownWords(message: string, problems: readonly Problem[]): string {
  const said = [
    joinProblems(problems.map((problem) => `${problem.path}: ${problem.message}`)),
    joinProblems(problems.map((problem) => problem.message)),
  ].find((text) => message.endsWith(text));
  return said === undefined ? message : message.slice(0, -said.length).trim();
}

function lineOf(problem: Problem): string {
  const line = problem.line === undefined ? '' : `line ${problem.line}`;
  const place = [problem.path, line].filter(Boolean).join(', ');
  return place === '' ? problem.message : `${place}: ${problem.message}`;
}

function indented(lead: string, lines: readonly string[]): string {
  return [lead, ...lines.map((line) => `  ${line}`)].join('\n');
}
