import { type ReactNode, useMemo } from 'react';
import { type GraphNode, layOutGraph, nodeHeight, nodeWidth } from './lay-out-graph.ts';

interface GraphViewProps<T extends GraphNode> {
  readonly label: string;
  readonly nodes: readonly T[];
  /** The colour of what leads on from a node. */
  toneOf?(node: T): string | undefined;
  /** What a node says, in its box of a fixed size. */
  children(node: T): ReactNode;
}

/** Nodes as a graph, from left to right. */
export function GraphView<T extends GraphNode>({
  label,
  nodes,
  toneOf,
  children,
}: GraphViewProps<T>): ReactNode {
  const shape = JSON.stringify(nodes.map(({ key, needs }) => ({ key, needs })));
  const layout = useMemo(() => layOutGraph(JSON.parse(shape)), [shape]);
  const tones = new Map(nodes.map((node) => [node.key, toneOf?.(node)]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="scroller" aria-label={label} tabIndex={0}>
      <div className="graph" style={{ width: layout.width, height: layout.height }}>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          {layout.edges.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} data-tone={tones.get(from)} />
          ))}
        </svg>
        <ul>
          {nodes.map((node) => {
            const { x, y } = layout.nodes.get(node.key) ?? { x: 0, y: 0 };
            return (
              <li key={node.key} style={{ left: x, top: y, width: nodeWidth, height: nodeHeight }}>
                {children(node)}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
