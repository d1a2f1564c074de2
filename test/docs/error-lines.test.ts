import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readMarkdown, root } from './markdown-files.ts';

/** Lines whose text is put together elsewhere in their file: the expression in the call, and how the texts begin. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  '`${what}: ${messageOf(cause)}`': [
    'the state store is unavailable',
    'a statement on the state store was given up',
  ],
  what: ['a trigger could not start its job', 'a trigger could not fire'],
  'refusalOf(options, why': ['The executor key'],
};

/** The last argument of each call of a logger with this level. */
function callsIn(text: string): string[] {
  const calls = text.matchAll(
    /\b(?:logger|log)\.(?:error|fatal)\(\s*\{[^}]*\},\s*([^;]+?),?\s*\)(?=[;,)\n])/g,
  );
  return [...calls].map(([, message = '']) => message.trim());
}

function textsOf(message: string, source: string): readonly string[] {
  const composed = COMPOSED[message];
  // What is listed here is what the file says.
  if (composed !== undefined) return composed.filter((text) => source.includes(text));
  return [message.replace(/^['`]/, '').replace(/(?:: )?\$\{.*|['`]$/s, '')];
}

t.test('the page of the log lists every line of level error, and no other', async (t) => {
  const found = new Set<string>();
  let calls = 0;
  for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) {
    const source = readFileSync(join(root, file), 'utf8');
    const made = source.match(/\b(?:logger|log)\.(?:error|fatal)\(/g)?.length ?? 0;
    const read = callsIn(source);
    t.equal(read.length, made, `${file}: each call is read`);
    calls += made;
    for (const message of read) {
      const texts = textsOf(message, source);
      t.ok(texts.length > 0, `${file}: ${message}`);
      for (const text of texts) found.add(text);
    }
  }
  t.ok(calls > 10, `${calls} calls`);
  const listed = [...readMarkdown('docs/log.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, line = '']) => line);
  t.same(listed.sort(), [...found].sort());
});
