import { applyPatch } from 'diff';
import fc from 'fast-check';
import t from 'tap';
import { diffCharsMax, textDiff } from '../../../src/base/text/text-diff.ts';

const names = { from: 'old', to: 'new' };
const numbered = (word: string, lines: number) =>
  Array.from({ length: lines }, (_, line) => `${word} ${line}\n`).join('');

t.test('a diff names what it compares, and shows what changes', async (t) => {
  t.equal(
    textDiff('title: A\nwidgets: []\n', 'title: B\nwidgets: []\n', names),
    '--- old\n+++ new\n@@ -1,2 +1,2 @@\n-title: A\n+title: B\n widgets: []\n',
  );
  t.equal(textDiff('same\n', 'same\n', names), '');
});

t.test('a diff turns the one text into the other', async (t) => {
  const lines = fc.array(fc.constantFrom('a', 'b', '', 'key: value', '- item'), { maxLength: 12 });
  const text = fc.tuple(lines, fc.boolean()).map(([all, end]) => all.join('\n') + (end ? '\n' : ''));
  fc.assert(
    fc.property(text, text, fc.constantFrom(undefined, 1), (before, after, timeoutMs) => {
      const diff = textDiff(before, after, { ...names, ...(timeoutMs && { timeoutMs }) });
      return (diff === '' ? before : applyPatch(before, diff)) === after;
    }),
  );
  t.pass();
});

t.test('texts that take too long to compare are shown as replaced', async (t) => {
  for (const [end, open] of [
    ['', ''],
    ['no end', 'nor here'],
  ]) {
    const before = numbered('alpha', 3_000) + end;
    const after = numbered('beta', 3_500) + open;
    const started = performance.now();
    const diff = textDiff(before, after, { ...names, timeoutMs: 1 });
    t.ok(performance.now() - started < 1_000);
    const lines = diff.split('\n');
    const taken = before.split('\n').length - (end === '' ? 1 : 0);
    const added = after.split('\n').length - (open === '' ? 1 : 0);
    t.equal(lines[2], `@@ -1,${taken} +1,${added} @@`);
    t.equal(applyPatch(before, diff), after);
  }
});

t.test('a diff that is too long ends with a line that says so', async (t) => {
  const diff = textDiff(numbered('some words', 20_000), '', names);
  const remark = `\\ The diff was cut: it is longer than ${diffCharsMax} characters\n`;
  t.ok(diff.endsWith(`\n${remark}`));
  const kept = diff.slice(0, -remark.length);
  t.ok(kept.length <= diffCharsMax && kept.length > diffCharsMax - 100);
  t.match(kept.split('\n').at(-2), /^-some words \d+$/, 'after a whole line');
  t.match(textDiff('x'.repeat(500), 'y', { ...names, charsMax: 3 }), /^---\n\\ The diff was cut/);
  t.ok(textDiff('x'.repeat(300_000), 'y', { ...names, charsMax: 9e9 }).length < diffCharsMax);
});
