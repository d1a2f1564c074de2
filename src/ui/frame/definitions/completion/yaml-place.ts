/** One map around the cursor: what it is under, and its scalar entries. */
export interface YamlLevel {
  /** A key of the map around, or null for an item of a list. */
  readonly step: string | null;
  /** Values of its keys, as they are typed; empty for those that hold more than a scalar. The value at the cursor is left out. */
  readonly entries: ReadonlyMap<string, string>;
}

/** Where a cursor is in YAML, as far as its indentation and its brackets tell: the text is being typed, and need not be valid. */
export interface YamlPlace {
  /** From the document to the innermost map; the document's own step is null. */
  readonly levels: readonly YamlLevel[];
  /** The key whose value is being typed; null: a key is. */
  readonly key: string | null;
  /** What is typed of the key or value so far begins here, as a column from 0. */
  readonly from: number;
}

interface Line {
  readonly text: string;
  /** Columns of the dashes before the content. */
  readonly dashes: readonly number[];
  /** Column of the content. */
  readonly column: number;
  readonly key: string | null;
  readonly value: string;
}

interface Frame {
  readonly step: string | null;
  readonly isList: boolean;
  readonly entries: Map<string, string>;
  key: string | null;
  from: number;
}

const keyPattern = /^(?:"([^"]*)"|'([^']*)'|([^\s#,[\]{}"'][^#,[\]{}]*?))\s*:(?:\s+|$)/;

/** The place before column `column` of line `index`; null inside of a comment or a quoted text. */
export function placeAt(texts: readonly string[], index: number, column: number): YamlPlace | null {
  const lines = texts.map(lineOf);
  const line = lineOf((texts[index] ?? '').slice(0, column));
  const isInComment = /(?:^|\s)#/.test(withoutQuoted(line.text));
  if (isInComment) return null;
  const block = blockLevels(lines, index, line);
  const { key, value } = line;
  const valueFrom = line.text.length - value.length;
  if (/^[{[]/.test(value)) {
    const frames = flowFrames(value, valueFrom, key);
    return frames === null ? null : flowPlace(block, frames);
  }
  if (/^["'|>]/.test(value)) return null;
  if (key !== null) {
    block.at(-1)?.entries.delete(key);
    return { levels: block, key, from: valueFrom };
  }
  const typed = line.text.slice(line.column);
  if (/^[{[]/.test(typed)) {
    const frames = flowFrames(typed, line.column, null);
    return frames === null ? null : flowPlace(block.slice(0, -1), frames, block.at(-1)?.step ?? null);
  }
  return { levels: block, key: null, from: line.column };
}

function lineOf(text: string): Line {
  let column = text.length - text.trimStart().length;
  const dashes: number[] = [];
  while (/^-(?:\s|$)/.test(text.slice(column))) {
    dashes.push(column);
    const rest = text.slice(column + 1);
    column += 1 + (rest.length - rest.trimStart().length);
  }
  const content = text.slice(column);
  const match = content.startsWith('#') ? null : keyPattern.exec(content);
  const key = match === null ? null : (match[1] ?? match[2] ?? match[3] ?? null);
  return { text, dashes, column, key, value: match === null ? '' : content.slice(match[0].length) };
}

type BlockLevel = YamlLevel & { readonly entries: Map<string, string> };

/** The maps around a line in block style, from the document on. */
function blockLevels(lines: readonly Line[], index: number, line: Line): BlockLevel[] {
  const levels: BlockLevel[] = [];
  let at = index;
  let current = line;
  for (;;) {
    const entries = entriesAround(lines, at, current);
    const around = stepAround(lines, at, current);
    if (around === null) return [{ step: null, entries }, ...levels];
    levels.unshift({ step: around.step, entries });
    if (around.step === null) {
      // Of an item of a list: next comes the key of the list, which may stand at the column of the dash.
      const owner = keyAbove(lines, around.index, around.column);
      if (owner === null) return levels;
      levels.unshift({ step: owner.line.key, entries: new Map() });
      at = owner.index;
      current = owner.line;
    } else {
      at = around.index;
      current = around.line;
    }
  }
}

type Around =
  | { readonly step: null; readonly index: number; readonly column: number }
  | { readonly step: string; readonly index: number; readonly line: Line };

/** What the map of this line is under: an item of a list, or a key; null for the document. */
function stepAround(lines: readonly Line[], index: number, line: Line): Around | null {
  const dash = line.dashes.at(-1);
  if (dash !== undefined) return { step: null, index, column: dash };
  for (let above = index - 1; above >= 0; above -= 1) {
    const other = lines[above];
    if (other === undefined || isBlank(other)) continue;
    const own = other.dashes.at(-1);
    if (other.column === line.column && own !== undefined) return { step: null, index: above, column: own };
    if (other.column >= line.column) continue;
    if (other.key !== null) return { step: other.key, index: above, line: other };
  }
  return null;
}

function keyAbove(
  lines: readonly Line[],
  index: number,
  column: number,
): { readonly index: number; readonly line: Line & { readonly key: string } } | null {
  for (let above = index - 1; above >= 0; above -= 1) {
    const line = lines[above];
    if (line === undefined || isBlank(line)) continue;
    const first = line.dashes[0] ?? line.column;
    const isOwner = line.dashes.length === 0 ? line.column <= column : first < column;
    if (line.key !== null && isOwner && line.value === '')
      return { index: above, line: { ...line, key: line.key } };
    if (first < column && line.key === null) return null;
  }
  return null;
}

/** Scalars of the keys beside this line: same column, nothing less indented between. */
function entriesAround(lines: readonly Line[], index: number, line: Line): Map<string, string> {
  const entries = new Map<string, string>();
  const add = ({ key, value }: Line) => {
    if (key !== null) entries.set(key, /^[{[|>&]/.test(value) ? '' : scalarOf(value));
  };
  if (line.dashes.length === 0)
    for (let above = index - 1; above >= 0; above -= 1) {
      const other = lines[above];
      if (other === undefined || isBlank(other)) continue;
      if (other.column < line.column) break;
      if (other.column > line.column) continue;
      add(other);
      if (other.dashes.length > 0) break;
    }
  for (let below = index + 1; below < lines.length; below += 1) {
    const other = lines[below];
    if (other === undefined || isBlank(other)) continue;
    if ((other.dashes[0] ?? other.column) < line.column) break;
    if (other.column === line.column && other.dashes.length === 0) add(other);
  }
  const own = lines[index];
  if (own !== undefined && line.key !== null) add(own);
  return entries;
}

/** The open brackets of a flow collection up to the cursor; null inside of quotes. */
function flowFrames(text: string, column: number, under: string | null): Frame[] | null {
  const frames: Frame[] = [];
  let next: string | null = under;
  let token = 0;
  const settle = (end: number) => {
    const frame = frames.at(-1);
    if (frame?.key) frame.entries.set(frame.key, scalarOf(text.slice(token, end)));
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    const frame = frames.at(-1);
    if (char === '"' || char === "'") {
      const end = text.indexOf(char, at + 1);
      if (end < 0) return null;
      at = end;
    } else if (char === '{' || char === '[') {
      frames.push({ step: next, isList: char === '[', entries: new Map(), key: null, from: at + 1 });
      next = null;
      token = at + 1;
    } else if (char === '}' || char === ']') {
      settle(at);
      frames.pop();
      token = at + 1;
    } else if (char === ',' && frame !== undefined) {
      settle(at);
      frame.key = null;
      next = null;
      token = at + 1;
    } else if (char === ':' && /[\s{[]|^$/.test(text[at + 1] ?? '') && frame !== undefined && !frame.isList) {
      frame.key = scalarOf(text.slice(token, at));
      next = frame.key;
      token = at + 1;
    }
    const open = frames.at(-1);
    if (open !== undefined) open.from = column + token;
  }
  const open = frames.at(-1);
  if (open === undefined) return [];
  const typed = text.slice(token);
  open.from = column + token + (typed.length - typed.trimStart().length);
  return frames;
}

function flowPlace(
  block: readonly YamlLevel[],
  frames: readonly Frame[],
  first?: string | null,
): YamlPlace | null {
  const open = frames.at(-1);
  if (open === undefined) return null;
  const inside = frames.map(({ step, entries }, index) => ({
    step: index === 0 && first !== undefined ? first : step,
    entries,
  }));
  return { levels: [...block, ...inside], key: open.key, from: open.from };
}

function isBlank({ text }: Line): boolean {
  return /^\s*(?:#.*)?$/.test(text);
}

function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'/g, (quoted) => '.'.repeat(quoted.length));
}

function scalarOf(text: string): string {
  return text
    .replace(/\s#.*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
}
