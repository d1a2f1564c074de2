import { Graph, layout } from '@dagrejs/dagre';

export const nodeWidth = 180;
export const nodeHeight = 58;
const gap = 22;
const levelGap = 44;
const margin = 4;
/** Above, the order within a level is that of the names: finding one with fewer crossings takes seconds. */
const orderedNodesMax = 300;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** Left upper corners, by key. */
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[];
}

export interface GraphNode {
  readonly key: string;
  /** Keys of the nodes before it. */
  readonly needs: readonly string[];
}

/** Places a graph from left to right, in pixels. */
export function layOutGraph(tasks: readonly GraphNode[]): GraphLayout {
  return tasks.length > orderedNodesMax ? inColumns(tasks) : byDagre(tasks);
}

function byDagre(tasks: readonly GraphNode[]): GraphLayout {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: gap, ranksep: levelGap, marginx: margin, marginy: margin });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key } of tasks) graph.setNode(key, { width: nodeWidth, height: nodeHeight });
  for (const { key, needs } of tasks)
    for (const need of needs) if (graph.hasNode(need)) graph.setEdge(need, key);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const place = (key: string) => {
    const { x, y } = graph.node(key) as Point;
    return { x: x - nodeWidth / 2, y: y - nodeHeight / 2 };
  };
  return {
    width,
    height,
    nodes: new Map(tasks.map(({ key }) => [key, place(key)])),
    edges: graph.edges().map((edge: { readonly v: string; readonly w: string }) => {
      const { points } = graph.edge(edge) as { readonly points: readonly Point[] };
      // One bend between neighbours is none of interest.
      const bends = points.length > 3 ? points.slice(1, -1) : [];
      return { from: edge.v, to: edge.w, path: pathBetween(place(edge.v), bends, place(edge.w)) };
    }),
  };
}

function inColumns(tasks: readonly GraphNode[]): GraphLayout {
  const levels = new Map<string, number>();
  const heights: number[] = [];
  const nodes = new Map<string, Point>();
  for (const { key, needs } of tasks) {
    const level = Math.max(-1, ...needs.map((need) => levels.get(need) ?? -1)) + 1;
    levels.set(key, level);
    const row = heights[level] ?? 0;
    heights[level] = row + 1;
    nodes.set(key, { x: margin + level * (nodeWidth + levelGap), y: margin + row * (nodeHeight + gap) });
  }
  const edges = tasks.flatMap(({ key, needs }) =>
    needs.flatMap((need) => {
      const [from, to] = [nodes.get(need), nodes.get(key)];
      if (from === undefined || to === undefined) return [];
      return [{ from: need, to: key, path: pathBetween(from, [], to) }];
    }),
  );
  return {
    width: heights.length * (nodeWidth + levelGap) - levelGap + 2 * margin,
    height: Math.max(...heights, 1) * (nodeHeight + gap) - gap + 2 * margin,
    nodes,
    edges,
  };
}

/** From the right side of one node to the left side of another: every part of it begins and ends level. */
function pathBetween(from: Point, bends: readonly Point[], to: Point): string {
  const points = [
    { x: from.x + nodeWidth, y: from.y + nodeHeight / 2 },
    ...bends,
    { x: to.x, y: to.y + nodeHeight / 2 },
  ];
  const parts = points.map(({ x, y }, index) => {
    const before = points[index - 1];
    if (before === undefined) return `M${round(x)} ${round(y)}`;
    const middle = round((before.x + x) / 2);
    return `C${middle} ${round(before.y)} ${middle} ${round(y)} ${round(x)} ${round(y)}`;
  });
  return parts.join('');
}

const round = (value: number) => Math.round(value * 10) / 10;
