const MESSAGE_CHARS_MAX = 2_000;
const PREFIX = /^Failed to extract statements: /;
const POSITION = /\n+LINE (\d+): [\s\S]*$/;
/** Errors of the engine itself come with the stack of its library, whose paths are the server's. */
const TRACE = /\n+\s*(?:Stack Trace:|This error signals)[\s\S]*$/;
const LIMIT = /max_temp_directory_size|could not allocate|failed to (?:allocate|offload|pin)|out of memory/i;

/** What the engine says of a query, without the excerpt or stack that it adds: its message, after the line of the query. */
export interface Said {
  readonly text: string;
  /** It met the limit of its memory or its disk, which another attempt would only meet again. */
  readonly isLimit: boolean;
}

export function saidByEngine(error: unknown): Said {
  const said = error instanceof Error ? error.message : String(error);
  const line = POSITION.exec(said)?.[1];
  const text = said
    .replace(PREFIX, '')
    .replace(TRACE, '')
    .replace(POSITION, '')
    .trim()
    .slice(0, MESSAGE_CHARS_MAX);
  const isLimit = LIMIT.test(said);
  if (isLimit) return { text: text.split('\n')[0] ?? '', isLimit };
  return { text: line === undefined ? text : `Line ${line} of the query: ${text}`, isLimit };
}
