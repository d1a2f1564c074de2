import type { Problem } from '../../base/errors.ts';
import { composeYaml, type TextProblem } from './yaml-composer.ts';
import { guardYaml, YAML_LIMITS, type YamlLimits } from './yaml-guard.ts';
import type { Path } from './yaml-path.ts';
import { offsetAt, toYamlValue } from './yaml-value.ts';

/** Counted from 1, in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlDocument {
  /** Plain JSON: maps are objects without prototype keys, dates stay text. */
  readonly value: unknown;
  /** The position of an entry: its value, or its `key`. For a path that does not exist, the nearest entry around it. */
  positionOf(path: Path, part?: 'key' | 'value'): Position;
}

export type LoadedYaml =
  | { readonly ok: true; readonly document: YamlDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** At most this many problems of one text are reported. */
const PROBLEMS_MAX = 100;

/**
 * Loads one YAML 1.2 document of the core schema, with positions. Never throws: whatever is wrong with the text (too large, too
 * deep, unknown tag, duplicate key, second document) is a problem with line and column. Defaults of the limits: `YAML_LIMITS`.
 */
export function loadYaml(text: string, limits: Partial<YamlLimits> = {}): LoadedYaml {
  const bounds = { ...YAML_LIMITS, ...limits };
  const refused = guardYaml(text, bounds);
  if (refused.length > 0) return { ok: false, problems: refused };

  const { document, problems, lines } = composeYaml(text, bounds);
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return line === 0 ? { line: 1, column: 1 } : { line, column: Math.max(col, 1) };
  };
  if (document === null || problems.length > 0) return refusal(problems, position);

  const value = toYamlValue(document, bounds);
  if (value.problems.length > 0) return refusal(value.problems, position);
  return {
    ok: true,
    document: {
      value: value.value,
      positionOf: (path, part = 'value') => position(offsetAt(value, path, part)),
    },
  };
}

function refusal(problems: readonly TextProblem[], position: (offset: number) => Position): LoadedYaml {
  const shown = problems.slice(0, PROBLEMS_MAX);
  return {
    ok: false,
    problems: shown.map(({ message, offset }) => ({ path: '', message, ...position(offset) })),
  };
}
