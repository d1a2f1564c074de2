import type { ReactNode } from 'react';
import { Icon, type IconName } from '../kit/icon.tsx';
import { Markdown } from '../kit/text/markdown.tsx';
import { textOf, toneOf, type WidgetConfig } from '../kit/widget/widget-config.ts';

const icons: Readonly<Record<string, IconName>> = {
  info: 'info',
  success: 'check',
  warning: 'alert',
  danger: 'alert',
};

interface HeadingWidgetProps {
  readonly config: WidgetConfig;
  readonly title: string | null;
}

/** A section's title with an introduction, or a callout. */
export function HeadingWidget({ config, title }: HeadingWidgetProps): ReactNode {
  const text = textOf(config, 'text') ?? title;
  const body = textOf(config, 'body');
  const tone = toneOf(config['style']);
  const Title = config['level'] === 3 ? 'h3' : config['level'] === 4 ? 'h4' : 'h2';
  if (tone === 'neutral') {
    return (
      <div className="section-heading">
        {text !== null && <Title>{text}</Title>}
        {body !== null && <Markdown source={body} />}
      </div>
    );
  }
  return (
    <div className="callout" data-tone={tone} role="note">
      <Icon name={icons[tone] ?? 'info'} size={18} />
      <div>
        {text !== null && <Title>{text}</Title>}
        {body !== null && <Markdown source={body} />}
      </div>
    </div>
  );
}
