import { LRUCache } from 'lru-cache';
import {
  type ParsedExpression,
  type ParseExpression,
  parseExpression,
} from '../expression/parse-expression.ts';

/** Together with what each compiles to, some four megabytes. */
const KEPT_MAX = 250;
/** A longer one is compiled each time. */
const SOURCE_CHARS_MAX = 300;

/**
 * Compiles each expression once, while there is room: texts of one author, and versions of one text, have most of theirs in common.
 * What is kept holds nothing of the document that it came from.
 */
export function keptExpressions(): ParseExpression {
  const kept = new LRUCache<string, ParsedExpression>({
    max: KEPT_MAX,
    memoMethod: (source) => parseExpression(source),
  });
  return (source) => (source.length > SOURCE_CHARS_MAX ? parseExpression(source) : kept.memo(source));
}
