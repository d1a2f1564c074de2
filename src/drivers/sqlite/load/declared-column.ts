import { foldName } from '../fold-name.ts';

/** One word, text, number or sign of SQL; blanks and comments are `blank`. */
const TOKEN =
  /(?<blank>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[\p{L}_$][\p{L}\p{N}_$]*)|[\s\S]/guy;

/** What ends the type of a column: https://www.sqlite.org/syntax/column-constraint.html */
export const CONSTRAINTS: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'NOT',
  'NULL',
  'UNIQUE',
  'CHECK',
  'DEFAULT',
  'COLLATE',
  'REFERENCES',
  'GENERATED',
  'AS',
]);

interface Token {
  readonly text: string;
  readonly at: number;
  readonly isName: boolean;
}

/** A CREATE TABLE in which the column has another type; null where the column is not found. Whoever runs it looks at what it makes. */
export function withColumnType(sql: string, column: string, type: string): string | null {
  const tokens: Token[] = [...sql.matchAll(TOKEN)]
    .filter(({ groups }) => groups?.['blank'] === undefined)
    .map(({ 0: text, index, groups }) => ({ text, at: index, isName: groups?.['name'] !== undefined }));
  const folded = foldName(column);
  let depth = 0;
  for (const [index, { text, isName }] of tokens.entries()) {
    const opens = text === '(' && depth === 0;
    const name = opens || (text === ',' && depth === 1) ? tokens[index + 1] : undefined;
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (isName || name?.isName !== true || foldName(plainName(name.text)) !== folded) continue;
    const from = name.at + name.text.length;
    return `${sql.slice(0, from)} ${type} ${sql.slice(typeEnd(tokens, index + 2, sql.length)).trimStart()}`;
  }
  return null;
}

/** Where the type ends that begins with this token: at a constraint, the next column, or the end of all columns. */
function typeEnd(tokens: readonly Token[], first: number, sqlEnd: number): number {
  let depth = 0;
  for (const { text, at, isName } of tokens.slice(first)) {
    if (depth === 0 && (text === ',' || text === ')')) return at;
    if (depth === 0 && isName && CONSTRAINTS.has(text.toUpperCase())) return at;
    if (text === '(') depth++;
    if (text === ')') depth--;
  }
  return sqlEnd;
}

function plainName(text: string): string {
  const [quote = ''] = text;
  if (quote === '[') return text.slice(1, -1);
  return /["`']/.test(quote) ? text.slice(1, -1).replaceAll(quote + quote, quote) : text;
}
