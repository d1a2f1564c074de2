import type { SyntaxNode } from '../syntax-tree.ts';
import { compileFilter, type Filter } from './compile-filter.ts';
import { type Compiler, type Evaluator, giveUp } from './compiler.ts';
import { collectNamed, lookup, unwrap } from './values.ts';

interface Step {
  readonly evaluate: Evaluator;
  readonly filters: readonly Filter[];
  /** `name[]`: what it finds in an array within an array stays a sequence, even of one. */
  readonly keepsNested: boolean;
}

/**
 * A path. Plain names over plain objects are followed directly; from the first array on, each step maps a sequence and flattens
 * it by one level, and the end of the path unwraps a sequence of one.
 */
export function compilePath(node: SyntaxNode, compiler: Compiler): Evaluator {
  const steps = node.steps ?? [];
  const [first] = steps;
  if (first === undefined || node.group !== undefined || node.tuple === true) return giveUp('path');
  const keep = node.keepSingletonArray === true;
  if (keep) compiler.note('keeps-arrays');
  const compiled = steps.map((step, index) => compileStep(step, index, compiler));
  const absolute = first.type === 'variable';
  const plain = keep ? null : plainNames(steps);
  const run = runner(compiled, keep, compiler);
  const whole: Evaluator = (input, root) => run(!absolute && Array.isArray(input) ? input : [input], root, 0);
  if (plain === null) return whole;
  const { names, variable } = plain;
  const offset = steps.length - names.length;
  const start = variable === null ? null : compiler.compile(variable);
  if (names.length === 1 && start === null) return singleName(names[0] ?? '', whole);
  return (input, root) => {
    let value = start === null ? input : start(input, root);
    if (start === null && Array.isArray(value)) return whole(input, root);
    for (let i = 0; i < names.length; i += 1) {
      if (value === null || typeof value !== 'object') return undefined;
      if (Array.isArray(value)) return run(value, root, i + offset);
      const name = names[i] as string;
      if (!Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  };
}

function singleName(name: string, whole: Evaluator): Evaluator {
  return (input, root) => {
    if (input === null || typeof input !== 'object') return undefined;
    if (Array.isArray(input)) return whole(input, root);
    return Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
  };
}

/** The names of a path that has nothing else, after at most one leading variable; otherwise null. */
function plainNames(steps: readonly SyntaxNode[]): { names: string[]; variable: SyntaxNode | null } | null {
  const [first] = steps;
  const variable = first?.type === 'variable' && first.stages === undefined ? first : null;
  const rest = variable === null ? steps : steps.slice(1);
  if (rest.length === 0 || rest.some((step) => step.type !== 'name' || step.stages !== undefined))
    return null;
  return { names: rest.map((step) => String(step.value)), variable };
}

function compileStep(step: SyntaxNode, index: number, compiler: Compiler): Step {
  const { tuple, focus, ancestor, group } = step;
  if (
    tuple === true ||
    focus !== undefined ||
    step.index !== undefined ||
    ancestor !== undefined ||
    group !== undefined
  ) {
    return giveUp('tuple');
  }
  const filters = (step.stages ?? []).map((stage) => compileFilter(stage, compiler));
  if (step.type === 'name') {
    const name = String(step.value);
    const keepsNested = step.keepArray === true;
    return {
      evaluate: keepsNested ? lookupKept(name) : (input) => lookup(input, name),
      filters,
      keepsNested,
    };
  }
  // An array constructor as a step is neither flattened nor iterated in the ordinary way.
  if (step.type === 'unary' && step.value === '[') return giveUp('array step');
  if (index > 0 || step.type !== 'variable') compiler.note('complex-step');
  return { evaluate: compiler.compile(step), filters, keepsNested: false };
}

function lookupKept(name: string): Evaluator {
  return (input) => {
    if (!Array.isArray(input)) return lookup(input, name);
    const found: unknown[] = [];
    collectNamed(input, name, found);
    return found.length === 0 ? undefined : found;
  };
}

function runner(steps: readonly Step[], keep: boolean, { meter }: Compiler) {
  return (start: readonly unknown[], root: unknown, from: number): unknown => {
    let sequence = start;
    for (let index = from; index < steps.length; index += 1) {
      const { evaluate, filters, keepsNested } = steps[index] as Step;
      const found: unknown[] = [];
      // Whether the one thing found is an array of the data, which the last step gives as it is.
      let whole = false;
      for (const input of sequence) {
        meter.step();
        let value = evaluate(input, root);
        let own = !(keepsNested && Array.isArray(input));
        for (const filter of filters) {
          const filtered = filter(value, root);
          value = filtered.values;
          own = !filtered.sequence;
        }
        if (value === undefined) continue;
        found.push(value);
        whole = own;
      }
      const [only] = found;
      if (index === steps.length - 1 && found.length === 1 && whole && Array.isArray(only)) return only;
      const flat: unknown[] = [];
      for (const value of found) {
        if (Array.isArray(value)) for (const part of value) flat.push(part);
        else flat.push(value);
      }
      meter.sequence(flat.length);
      sequence = flat;
      if (flat.length === 0) break;
    }
    const result = sequence as unknown[];
    return keep && result.length > 0 ? result : unwrap(result);
  };
}
