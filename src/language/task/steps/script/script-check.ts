import { stripTypeScriptTypes } from 'node:module';

export const SCRIPT_LANGUAGES = ['javascript', 'typescript', 'python'] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

export interface CodeProblem {
  readonly message: string;
  /** Of the code, from 1; null where the parser tells none. */
  readonly line: number | null;
}

/**
 * What is wrong with the form of a script, without running it; null for nothing. Of Python, whose parser this process does not have,
 * nothing is known before it runs.
 */
export function codeProblem(code: string, language: ScriptLanguage): CodeProblem | null {
  if (language === 'python') return null;
  try {
    const plain = withoutTypes(code);
    if (language === 'typescript' || plain === code) return null;
    return { message: 'has types: give language: typescript', line: firstDifference(code, plain) };
  } catch (error) {
    const { message, stack = '' } = error as Error;
    const line = /^:(\d+)\n/.exec(stack)?.[1];
    return { message, line: line === undefined ? null : Number(line) };
  }
}

/** ` (line 3 of the code)`, or of the file that it is in; empty where no line is known. */
export function codeLine(line: number | null, file: string | null): string {
  return line === null ? '' : ` (line ${line} of ${file ?? 'the code'})`;
}

let isKnown = false;

/** Node says on standard error, with the first call, that this is new to it: nothing to the author of a task. */
function withoutTypes(code: string): string {
  if (!isKnown) {
    isKnown = true;
    const listeners = process.listeners('warning');
    process.removeAllListeners('warning');
    setImmediate(() => {
      for (const listener of listeners) process.on('warning', listener);
    });
  }
  return stripTypeScriptTypes(code);
}

/** Types become blanks, so that lines stay. */
function firstDifference(code: string, plain: string): number {
  const [before, after] = [code.split('\n'), plain.split('\n')];
  return before.findIndex((line, at) => line !== after[at]) + 1;
}
