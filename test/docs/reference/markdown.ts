/** The first lines of every page: its title, and where it comes from. */
export function pageHead(title: string, intro: string): string {
  return `<!-- Made by \`node test/docs/generate.ts\` from the code. Do not edit: a test compares it. -->\n\n# ${title}\n\n${intro}\n`;
}

/** A table; rows of the same length as its head. Empty for no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |\n`;
  return `\n${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`;
}

/** Text in a cell of a table: one line, and no bar that would end the cell. */
function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}

export function code(text: unknown): string {
  return `\`${String(text)}\``;
}

/** Words as a sentence: a capital first, a full stop last. */
export function sentence(words: string): string {
  const text = words.trim();
  if (text === '') return '';
  const ended = /[.!?:]$/.test(text) ? text : `${text}.`;
  return /^[a-z][A-Z]/.test(ended) ? ended : ended.charAt(0).toUpperCase() + ended.slice(1);
}
