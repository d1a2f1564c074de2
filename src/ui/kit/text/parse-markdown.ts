/** A piece of inline text. None of it is markup: each kind is rendered as an element of its own. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] };

export type Block =
  | { readonly kind: 'paragraph'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] };

const textLengthMax = 20_000;
const depthMax = 4;
const bullet = /^\s*[-*+]\s+(.*)$/;
const numbered = /^\s*\d{1,9}[.)]\s+(.*)$/;
const inlinePattern =
  /`([^`]+)`|\*\*(?=\S)([^*]+?)\*\*|__(?=\S)([^_]+?)__|\*(?=\S)([^*]+?)\*|(?<![\p{L}\p{N}])_(?=\S)([^_]+?)_(?![\p{L}\p{N}])|\[([^\][]+)\]\(([^()\s]+)\)/u;

/**
 * Parses the safe subset of Markdown: paragraphs, bold, italic, code, links, flat lists. HTML and everything else is
 * text. URLs are not checked here but where they are rendered. Own code, because micromark would add 14 to 17 kB of compressed
 * JavaScript to the page's first request.
 */
export function parseMarkdown(source: string): readonly Block[] {
  const blocks: Block[] = [];
  const clipped = source.slice(0, textLengthMax).replaceAll('\r\n', '\n');
  for (const chunk of clipped.split(/\n[ \t]*\n/)) addChunk(blocks, chunk.split('\n'));
  return blocks;
}

function addChunk(blocks: Block[], lines: readonly string[]): void {
  let paragraph: Inline[][] = [];
  let list: { kind: 'list'; ordered: boolean; items: Inline[][] } | null = null;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const ordered = numbered.exec(line);
    const item = ordered ?? bullet.exec(line);
    if (item === null) {
      if (list === null && paragraph.length === 0) blocks.push({ kind: 'paragraph', lines: paragraph });
      if (list === null) paragraph.push(parseInline(line.trim(), 0));
      else list.items.at(-1)?.push({ kind: 'text', text: ' ' }, ...parseInline(line.trim(), 0));
      continue;
    }
    if (list === null || list.ordered !== (ordered !== null)) {
      list = { kind: 'list', ordered: ordered !== null, items: [] };
      paragraph = [];
      blocks.push(list);
    }
    list.items.push(parseInline(item[1] ?? '', 0));
  }
}

function parseInline(text: string, depth: number): Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  while (rest !== '') {
    const match = depth < depthMax ? inlinePattern.exec(rest) : null;
    if (match === null) {
      parts.push({ kind: 'text', text: rest });
      break;
    }
    if (match.index > 0) parts.push({ kind: 'text', text: rest.slice(0, match.index) });
    parts.push(inlineOf(match, depth));
    rest = rest.slice(match.index + match[0].length);
  }
  return parts;
}

function inlineOf(match: RegExpExecArray, depth: number): Inline {
  const [, code, strong1, strong2, em1, em2, label, href] = match;
  const strong = strong1 ?? strong2;
  const emphasis = em1 ?? em2;
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', children: parseInline(strong, depth + 1) };
  if (emphasis !== undefined) return { kind: 'emphasis', children: parseInline(emphasis, depth + 1) };
  return { kind: 'link', href: href ?? '', children: parseInline(label ?? '', depthMax) };
}
