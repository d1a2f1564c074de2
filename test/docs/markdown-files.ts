import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

const NOT_OURS = ['node_modules', 'dist', 'data', '.tap', '.cache', '.git'];

/** Every Markdown file of the repository, by its path from the root. */
export const markdownFiles: readonly string[] = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => NOT_OURS.includes(path.split('/')[0] ?? ''),
}).sort();

export function readMarkdown(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** A fenced block of code. `info` is what stands after the backticks, such as `yaml task`. */
export interface CodeBlock {
  readonly file: string;
  readonly line: number;
  readonly info: string;
  readonly text: string;
}

export function codeBlocks(file: string): readonly CodeBlock[] {
  const text = readMarkdown(file);
  return [...text.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', info = '', body = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { file, line, info: info.trim(), text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}

/** The text without code, in which brackets are no links and hashes no headings. */
export function proseOf(text: string): string {
  return text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ' '));
}

/** The anchors that GitHub gives the headings of a text. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const headings = [...text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').matchAll(/^#{1,6} +(.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) => {
      const slug = slugOf(heading);
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
