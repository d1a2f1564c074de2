import type { ErrorCode as YamlErrorCode } from 'yaml';
import { Composer, type CST, type Document, Lexer, LineCounter, Parser, Schema } from 'yaml';
import type { YamlLimits } from './yaml-guard.ts';

/** YAML 1.2's, without tags beyond it; made once, since each document would make its own. */
const CORE = new Schema({ schema: 'core', resolveKnownTags: false });

/** Something wrong with the text itself, at a character offset from 0. */
export interface TextProblem {
  readonly message: string;
  readonly offset: number;
}

export interface ComposedText {
  readonly document: Document.Parsed | null;
  readonly problems: readonly TextProblem[];
  readonly lines: LineCounter;
}

/**
 * Composes one YAML 1.2 document (core schema: dates stay text) from a text. Depth and tokens are counted as the parser's own
 * stack grows, so a hostile text stops at the limit and never reaches the composer, which is recursive.
 */
export function composeYaml(text: string, limits: YamlLimits): ComposedText {
  const lines = new LineCounter();
  const problems: TextProblem[] = [];
  const tokens = readTokens(text, limits, lines, problems);
  if (tokens === null) return { document: null, problems, lines };

  // `uniqueKeys` is quadratic; `toYamlValue` checks duplicates in linear time instead.
  const composer = new Composer({
    uniqueKeys: false,
    version: '1.2',
    schema: CORE,
  });
  const documents = [...composer.compose(tokens, true, text.length)] as Document.Parsed[];
  const [document, second] = documents;
  if (second !== undefined) {
    problems.push({
      message: 'Only one document is allowed; remove the "---" before the second',
      offset: second.range[0],
    });
  }
  for (const error of [...(document?.errors ?? []), ...(document?.warnings ?? [])]) {
    problems.push({ message: explain(error.code, error.message), offset: error.pos[0] });
  }
  return { document: document ?? null, problems, lines };
}

/** The syntax tokens of the text, or null where a limit was passed; then `problems` has said which. */
function readTokens(
  text: string,
  limits: YamlLimits,
  lines: LineCounter,
  problems: TextProblem[],
): CST.Token[] | null {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    const offset = parser.offset;
    for (const token of parser.next(lexeme)) {
      if (token.type === 'directive') {
        problems.push({
          message: `Directives are not supported; remove "${token.source}"`,
          offset: token.offset,
        });
      }
      tokens.push(token);
    }
    // The stack holds the document and perhaps a scalar besides the open collections.
    if (parser.stack.length > limits.depthMax + 2) {
      problems.push({ message: `Maps and lists are nested more than ${limits.depthMax} deep`, offset });
      return null;
    }
    if (count > limits.tokensMax) {
      problems.push({
        message: `The document has more than ${limits.tokensMax} tokens; make it shorter`,
        offset,
      });
      return null;
    }
  }
  tokens.push(...parser.end());
  return tokens;
}

/** The library's message, in our words where its own say too little. */
function explain(code: YamlErrorCode, message: string): string {
  if (code === 'TAG_RESOLVE_FAILED') return `Tags are not supported: ${message}`;
  if (code === 'TAB_AS_INDENT') return 'Lines are indented with spaces, not with tabs';
  return `Invalid YAML: ${message}`;
}
