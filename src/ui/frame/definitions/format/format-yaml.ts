import { parseDocument, visit } from 'yaml';

const aliasesMax = 100;

/**
 * The text in one form: two blanks of indentation, one between words, flow collections of several lines as blocks, at most one empty
 * line, comments where they were. Null where it is no valid YAML, or would mean something else afterwards.
 */
export function formatYaml(text: string): string | null {
  try {
    return formatted(text);
  } catch {
    // An alias without its anchor, or too many of them.
    return null;
  }
}

function formatted(text: string): string | null {
  const document = parseDocument(text, { logLevel: 'error' });
  if (document.errors.length > 0) return null;
  visit(document, {
    Collection(_key, node) {
      const [from, to] = node.range ?? [0, 0];
      if (node.flow && text.slice(from, to).includes('\n')) node.flow = false;
    },
  });
  const next = withoutBlanksInLists(document.toString({ lineWidth: 0 }));
  return meaningOf(next) === meaningOf(text) ? next : null;
}

/** `[a, b]` in place of `[ a, b ]`; maps keep their blanks. */
function withoutBlanksInLists(text: string): string {
  const blanks = new Set<number>();
  visit(parseDocument(text, { logLevel: 'error' }), {
    Seq(_key, { flow, range }) {
      if (!flow || !range) return;
      const [from, to] = range;
      if (text[from + 1] === ' ') blanks.add(from + 1);
      if (text[to - 2] === ' ') blanks.add(to - 2);
    },
  });
  return text
    .split('')
    .filter((_, index) => !blanks.has(index))
    .join('');
}

function meaningOf(text: string): string {
  const document = parseDocument(text, { logLevel: 'error' });
  return JSON.stringify(document.toJS({ maxAliasCount: aliasesMax }));
}
