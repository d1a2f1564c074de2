import type { Notice } from '../notice.ts';

const COLORS = { danger: 'attention', success: 'good', info: 'accent' } as const;

/**
 * The body for a workflow of Microsoft Teams that posts the card that it gets. Texts are runs of a RichTextBlock, which knows no
 * Markdown, so that what others have named stays text. Source:
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using#send-adaptive-cards-using-an-incoming-webhook
 */
export function teamsCard({ tone, title, facts, message, link }: Notice): string {
  const body = [
    block([{ ...run(title), weight: 'bolder', size: 'medium', color: COLORS[tone] }]),
    ...facts.map(([label, value]) => block([{ ...run(`${label}: `), weight: 'bolder' }, run(value)])),
    ...(message === null ? [] : [block([{ ...run(message), fontType: 'monospace' }])]),
  ];
  const actions = link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: link }];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    fallbackText: title,
    body,
    actions,
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content,
  };
  return JSON.stringify({ type: 'message', attachments: [attachment] });
}

function block(inlines: readonly object[]) {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string) {
  return { type: 'TextRun', text };
}
