import type { ReactNode } from 'react';
import type { WidgetConfig } from './widget-config.ts';

/** What every widget's component gets: its payload as it came, and its presentation keys. */
export interface WidgetBodyProps {
  readonly widgetId: string;
  readonly data: unknown;
  /** When the payload came, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly config: WidgetConfig;
  readonly title: string;
  /** Whether the card shows the title: it is the type's name where the dashboard's author gave none. */
  readonly hasTitle: boolean;
}

export type WidgetBody = (props: WidgetBodyProps) => ReactNode;
