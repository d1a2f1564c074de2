import type { Notice } from '../notice.ts';

const ICONS = { danger: 'red_circle', success: 'large_green_circle', info: 'information_source' } as const;

/**
 * The body for an incoming webhook of Slack. Texts are elements of a rich_text block, in which nothing is markup, so that what
 * others have named stays text; only in `text`, for notifications, `&`, `<` and `>` are characters of control. Sources:
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block.
 */
export function slackMessage({ tone, title, facts, message, link }: Notice): string {
  const head = [{ type: 'emoji', name: ICONS[tone] }, text(' '), text(title, { bold: true })];
  const lines = facts.map(([label, value]) => section([text(`${label}: `, { bold: true }), text(value)]));
  const quoted = message === null ? [] : [{ type: 'rich_text_preformatted', elements: [text(message)] }];
  const button = { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: link };
  return JSON.stringify({
    text: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    unfurl_links: false,
    blocks: [
      { type: 'rich_text', elements: [section(head), ...lines, ...quoted] },
      ...(link === null ? [] : [{ type: 'actions', elements: [button] }]),
    ],
  });
}

function section(elements: readonly object[]) {
  // Sections follow one another on one line, unless one ends it.
  return { type: 'rich_text_section', elements: [...elements, text('\n')] };
}

function text(content: string, style?: { readonly bold: boolean }) {
  return style === undefined ? { type: 'text', text: content } : { type: 'text', text: content, style };
}
