const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*$/;
const THINKING = /^\s*<think>[\s\S]*?<\/think>/;

interface Block {
  readonly language: string;
  readonly text: string;
}

/**
 * The YAML in a model's answer: of fenced blocks the longest that says it is YAML, else the longest; a fence that is not closed
 * goes to the end; without any fence it is the whole answer. What a model thinks aloud first is left out.
 */
export function extractYaml(answer: string): string {
  const text = answer.replace(THINKING, '').replaceAll('\r\n', '\n');
  const blocks = blocksOf(text);
  const yaml = blocks.filter(({ language }) => /^ya?ml$/i.test(language));
  const [first, ...others] = yaml.length > 0 ? yaml : blocks;
  if (first === undefined) return `${text.trim()}\n`;
  const longest = others.reduce(
    (kept, block) => (block.text.length > kept.text.length ? block : kept),
    first,
  );
  return `${longest.text.trimEnd()}\n`;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly language: string; readonly lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const [, fence, language = ''] = FENCE.exec(line) ?? [];
    if (open === null) {
      if (fence !== undefined) open = { fence, language, lines: [] };
    } else if (fence !== undefined && language === '' && fence.startsWith(open.fence)) {
      blocks.push({ language: open.language, text: open.lines.join('\n') });
      open = null;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== null) blocks.push({ language: open.language, text: open.lines.join('\n') });
  return blocks;
}
