import type { Notice } from '../notice.ts';

/** The two bodies of a mail: plain, and HTML in which all that others have named is escaped. */
export function mailTexts({ title, facts, message, link }: Notice): {
  readonly text: string;
  readonly html: string;
} {
  const lines = facts.map(([label, value]) => `${label}: ${value}`);
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th align="left" style="padding:2px 12px 2px 0">${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
  );
  const html = [
    `<p style="font-size:16px"><strong>${escaped(title)}</strong></p>`,
    `<table cellspacing="0">${rows.join('')}</table>`,
    ...(message === null ? [] : [`<p><code>${escaped(message)}</code></p>`]),
    ...(link === null ? [] : [`<p><a href="${escaped(link)}">${escaped(link)}</a></p>`]),
  ];
  const text = [
    title,
    '',
    ...lines,
    ...(message === null ? [] : ['', message]),
    ...(link === null ? [] : ['', link]),
  ];
  return { text: `${text.join('\n')}\n`, html: html.join('\n') };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
