import type { z } from 'zod';
import { schemaWords } from '../../base/text/schema-words.ts';
import { ConnectorError } from '../driver.ts';

/** Parses a configuration or arguments with their strict schema; throws `CONFIG` that names the first wrong key. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? '' : `: "${issue.path.join('.')}"`;
  const words = issue === undefined ? ' are not valid' : schemaWords(issue, null);
  throw new ConnectorError('CONFIG', `In ${what}${at}${words}`, { cause: parsed.error });
}
