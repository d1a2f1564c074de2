import type { ReactNode } from 'react';
import type { WidgetConfig } from './widget-config.ts';

/** Props of every widget's component: its payload as received, and its presentation keys. */
export interface WidgetBodyProps {
  readonly widgetId: string;
  readonly data: unknown;
  /** When the payload was received, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly config: WidgetConfig;
  readonly title: string;
  /** Whether the card shows the title. Without one from the dashboard's author, `title` is the name of the type. */
  readonly hasTitle: boolean;
}

export type WidgetBody = (props: WidgetBodyProps) => ReactNode;
