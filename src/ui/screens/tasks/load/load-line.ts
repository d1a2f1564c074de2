/** What the text of a task says of its load. */
export interface LoadChoice {
  /** Null: not said, which is `append`. */
  readonly mode: string | null;
  readonly keys: readonly string[];
}

export interface LoadLine extends LoadChoice {
  /** Its name of the connector that is written to. */
  readonly connector: string | null;
}

const loads = /^[ \t]*-[ \t]*\{[^\n]*\bkind:[ \t]*load\b[^\n]*\}[ \t]*$/gm;
const keyEntry = /,[ \t]*key:[ \t]*(\[[^\]\n]*\]|"[^"\n]*"|[^,}\n]+?)(?=[ \t]*[,}])/;
const modeEntry = /,[ \t]*mode:[ \t]*(\w+)/;
const plain = /^[\p{L}_][\p{L}\p{N}_. -]*(?<! )$/u;
const words: readonly string[] = ['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n'];

/** The load of a task that has one, written on a line of its own; null for any other text, which nobody but its writer changes. */
export function loadLine(text: string): LoadLine | null {
  const line = onlyLoad(text);
  if (line === null) return null;
  return {
    mode: modeEntry.exec(line)?.[1] ?? null,
    keys: namesIn(keyEntry.exec(line)?.[1] ?? ''),
    connector: /\bconnector:[ \t]*([\w-]+)/.exec(line)?.[1] ?? null,
  };
}

/** The same text with another mode and key of its load. */
export function withLoad(text: string, { mode, keys }: LoadChoice): string {
  const line = onlyLoad(text);
  if (line === null) return text;
  const bare = line.replace(keyEntry, '').replace(modeEntry, '');
  const end = bare.lastIndexOf('}');
  const said = `${mode === null ? '' : `, mode: ${mode}`}${keyText(keys)}`;
  const next = `${bare.slice(0, end).trimEnd()}${said} ${bare.slice(end)}`;
  return text.replace(line, () => next);
}

/** `, key: [id]`, or nothing. */
export function keyText(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `, key: [${keys.map(nameText).join(', ')}]`;
}

/** Names of columns as typed, with commas between them; one that has a comma itself is quoted. */
export function namesIn(typed: string): readonly string[] {
  const inner = typed.replace(/^\s*\[|\]\s*$/g, '');
  const names = [...inner.matchAll(/\s*(?:"([^"]*)"|'([^']*)'|([^,]+))/g)];
  return names
    .map(([, double, single, bare]) => (double ?? single ?? bare ?? '').trim())
    .filter((name) => name !== '');
}

function nameText(name: string): string {
  return plain.test(name) && !words.includes(name.toLowerCase()) ? name : JSON.stringify(name);
}

function onlyLoad(text: string): string | null {
  const lines = text.match(loads) ?? [];
  // Another load may be written over several lines: then it is not this that decides.
  const count = text.match(/^(?![ \t]*#).*\bkind:[ \t]*load\b/gm)?.length ?? 0;
  return lines.length === 1 && count === 1 ? (lines[0] ?? null) : null;
}
