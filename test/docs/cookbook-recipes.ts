import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../engine/support/task-run.ts';
import { type CodeBlock, codeBlocks, readMarkdown } from './markdown-files.ts';

const FILE = 'docs/language/cookbook.md';
export const WAREHOUSE = 'warehouse.db';
const lines = readMarkdown(FILE).split('\n');
const headings = lines.flatMap((line, at) => (line.startsWith('## ') ? [{ title: line.slice(3), at }] : []));
const blocks = codeBlocks(FILE);

/** Those that need no server. */
export const RECIPES: readonly string[] = headings
  .map(({ title }) => title)
  .filter((title) => !blocksOf(title).some(({ text }) => /headgate (executor|start)/.test(text)));

/** The blocks of a recipe, in their order. */
export function blocksOf(title: string): readonly CodeBlock[] {
  const place = headings.findIndex((heading) => heading.title === title);
  const { at } = headings[place] ?? { at: lines.length };
  const end = headings[place + 1]?.at ?? lines.length;
  return blocks.filter(({ line }) => line > at && line <= end);
}

/** A result that the page shows, and what the database gave instead. */
export interface ShownResult {
  readonly sql: string;
  readonly shown: string;
  readonly found: string;
}

/** Does in a folder what a recipe says: writes its files, fills its databases, gives each line of shell to `run`, and looks at results. */
export async function playRecipe(
  title: string,
  folder: string,
  run: (args: readonly string[]) => Promise<void>,
): Promise<readonly ShownResult[]> {
  const results: ShownResult[] = [];
  let selected = { sql: '', file: WAREHOUSE };
  for (const block of blocksOf(title)) {
    const file = fileOf(block);
    const { info, text } = block;
    if (info === 'sh') for (const args of commandsOf(text)) await run(args);
    else if (info === 'sql' && text.startsWith('SELECT')) selected = { sql: text, file: file ?? WAREHOUSE };
    else if (info === 'sql') execute(join(folder, file ?? WAREHOUSE), text);
    else if (file !== null) writeFileSync(join(folder, file), text);
    else {
      const rows = rowsOf(join(folder, selected.file), selected.sql);
      const found = rows.map((row) => `${Object.values(row).join(',')}\n`).join('');
      results.push({ sql: selected.sql, shown: text, found });
    }
  }
  return results;
}

export function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

/** The file that the words before a block name: "`orders.csv`:". */
export function fileOf({ line }: CodeBlock): string | null {
  const words = lines[line - 3] ?? '';
  return words.endsWith(':') ? (/`([\w.-]+\.\w+)`/.exec(words)?.[1] ?? null) : null;
}

function commandsOf(text: string): readonly (readonly string[])[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [program, ...args] = line.split(' ');
      if (program !== 'headgate') throw new Error(`"${line}" is no command of the program`);
      return args;
    });
}
