import fc from 'fast-check';
import t from 'tap';
import { type Block, type Inline, parseMarkdown } from '../../../src/ui/kit/text/parse-markdown.ts';

t.test('the subset is read: paragraphs, bold, italic, code, links, lists', async (t) => {
  t.same(parseMarkdown('One **two** _three_ `four`\n\n- a\n- [b](https://example.com)\n\n1. c'), [
    {
      kind: 'paragraph',
      lines: [
        [
          { kind: 'text', text: 'One ' },
          { kind: 'strong', children: [{ kind: 'text', text: 'two' }] },
          { kind: 'text', text: ' ' },
          { kind: 'emphasis', children: [{ kind: 'text', text: 'three' }] },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'four' },
        ],
      ],
    },
    {
      kind: 'list',
      ordered: false,
      items: [
        [{ kind: 'text', text: 'a' }],
        [{ kind: 'link', href: 'https://example.com', children: [{ kind: 'text', text: 'b' }] }],
      ],
    },
    { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'c' }]] },
  ]);
});

t.test('words with underscores are not italic', async (t) => {
  t.same(parseMarkdown('load_flights_now'), [
    { kind: 'paragraph', lines: [[{ kind: 'text', text: 'load_flights_now' }]] },
  ]);
});

t.test('HTML is text', async (t) => {
  const html = '<img src=x onerror=alert(1)>';
  t.same(parseMarkdown(html), [{ kind: 'paragraph', lines: [[{ kind: 'text', text: html }]] }]);
});

t.test('any text is read without failing, and no letter is lost', async () => {
  const letters = (text: string) => text.replaceAll(/[^a-z]/g, '');
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '*', '_', '`', ' ', '\n', '-', '[', ']', '(', ')') }),
      (text) => {
        return letters(parseMarkdown(text).map(blockText).join('')) === letters(text);
      },
    ),
  );
});

function blockText(block: Block): string {
  return (block.kind === 'paragraph' ? block.lines : block.items)
    .map((line) => line.map(inlineText).join(''))
    .join('');
}

function inlineText(part: Inline): string {
  if (part.kind === 'text' || part.kind === 'code') return part.text;
  return part.children.map(inlineText).join('') + (part.kind === 'link' ? part.href : '');
}
