import type { ReactNode } from 'react';
import type { WidgetConfig } from './widget-config.ts';

/** What every widget's component gets: its payload as it came, and its presentation keys. */
export interface WidgetBodyProps {
  readonly data: unknown;
  readonly config: WidgetConfig;
  readonly title: string;
}

export type WidgetBody = (props: WidgetBodyProps) => ReactNode;
