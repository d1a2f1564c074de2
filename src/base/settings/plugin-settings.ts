import { z } from 'zod';
import { count } from './setting-values.ts';

/** A program that connectors may name: `plugins` of the settings. */
const plugin = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,99}$/, 'must be lower-case letters, digits, ".", "_" and "-"'),
  command: z.union([
    z.array(z.string().min(1)).min(1, 'must name a program'),
    z
      .string()
      .regex(/\S/, 'must name a program')
      .transform((text) => text.trim().split(/\s+/)),
  ]),
  folder: z.string().min(1).nullable().default(null),
  memory_mb: count(64, 65_536).default(1_024),
});

/** `faker=/opt/faker/bin/source-faker, tap=/opt/tap/bin/tap` or the list of maps as JSON. */
function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trimStart().startsWith('[')) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const pairs = entries.map((entry) => /^([^=\s]+)=(.+)$/.exec(entry));
  if (pairs.some((pair) => pair === null)) return value;
  return pairs.map((pair) => ({ name: pair?.[1], command: pair?.[2] }));
}

const FORM = 'must be name=command entries by commas, or a list of maps with "name" and "command"';

/** Programs by name; the environment has them as text. */
export const plugins = z.unknown().transform((given, context) => {
  const parsed = z.array(plugin, FORM).safeParse(listOf(given));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [at, key] = issue?.path ?? [];
    const where =
      at === undefined ? '' : `entry ${Number(at) + 1}${key === undefined ? '' : `, "${String(key)}"`}: `;
    context.addIssue(`${where}${issue?.message ?? FORM}`);
    return z.NEVER;
  }
  const names = parsed.data.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) context.addIssue(`names the plug-in "${twice}" twice`);
  return parsed.data;
});
