import { Component, type ReactNode } from 'react';

interface WidgetBoundaryProps {
  /** A new value renders the widget again. */
  readonly resetKey: unknown;
  readonly children: ReactNode;
  fallback(error: Error): ReactNode;
}

interface WidgetBoundaryState {
  readonly error: Error | null;
  readonly resetKey: unknown;
}

/** Confines a rendering error to its widget. */
export class WidgetBoundary extends Component<WidgetBoundaryProps, WidgetBoundaryState> {
  override state: WidgetBoundaryState = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<WidgetBoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    props: WidgetBoundaryProps,
    state: WidgetBoundaryState,
  ): Partial<WidgetBoundaryState> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : this.props.fallback(this.state.error);
  }
}
