import type { ExpressionLimits, Scope } from '../expression.ts';
import { toExpressionError } from '../expression-failure.ts';
import { leftOf, type SyntaxNode } from '../syntax-tree.ts';
import { compileCall } from './compile-call.ts';
import { compileArray, compileObject } from './compile-constructor.ts';
import { compileFilter } from './compile-filter.ts';
import { compileNegation, compileOperator } from './compile-operator.ts';
import { compilePath } from './compile-path.ts';
import { type Compiler, type Evaluator, giveUp, NotCompilable } from './compiler.ts';
import { Meter } from './meter.ts';
import { toBoolean, unwrap } from './values.ts';

/**
 * Turns a parse tree into closures, where every construct in it is exactly known; otherwise null. The closures give the value that
 * jsonata gives, or fail with its code; where several parts of one constructor fail, which of their errors is reported may differ,
 * for jsonata evaluates those at once. Values may share structure with the scope.
 */
export function compileTree(
  tree: SyntaxNode,
  source: string,
  limits: ExpressionLimits,
  isForRows = false,
): ((scope: Scope) => unknown) | null {
  const meter = new Meter(limits);
  const traits = new Set<string>();
  let evaluate: Evaluator;
  try {
    evaluate = createCompiler({ meter, isForRows, slots: [], traits }, new Map()).compile(tree);
    if (traits.size > 1) return null;
  } catch (thrown) {
    if (thrown instanceof NotCompilable) return null;
    throw thrown;
  }
  return (scope) => {
    meter.start();
    try {
      return evaluate(scope, scope);
    } catch (thrown) {
      throw toExpressionError(thrown, source);
    }
  };
}

type Shared = Pick<Compiler, 'meter' | 'isForRows' | 'slots'> & { readonly traits: Set<string> };

function createCompiler(shared: Shared, variables: ReadonlyMap<string, number>): Compiler {
  const { meter, isForRows, slots, traits } = shared;
  const compiler: Compiler = {
    meter,
    isForRows,
    slots,
    variables,
    compile: (node) => compileNode(node, compiler),
    withVariables: (more) => createCompiler(shared, more),
    note: (trait) => {
      traits.add(trait);
    },
  };
  return compiler;
}

function compileNode(node: SyntaxNode, compiler: Compiler): Evaluator {
  if (node.type !== 'path' && (node.group !== undefined || node.keepArray === true)) return giveUp('group');
  if (node.tuple === true) return giveUp('tuple');
  const bare = compileBare(node, compiler);
  if (node.predicate === undefined) return bare;
  const filters = node.predicate.map((stage) => compileFilter(stage, compiler));
  return (input, root) => {
    let value = bare(input, root);
    let unwrapped = false;
    for (const filter of filters) {
      const { values, sequence } = filter(value, root);
      value = values;
      unwrapped = sequence;
    }
    return unwrapped ? unwrap(value as unknown[]) : value;
  };
}

function compileBare(node: SyntaxNode, compiler: Compiler): Evaluator {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value': {
      const { value } = node;
      return () => value;
    }
    case 'path':
      return compilePath(node, compiler);
    case 'binary':
      return compileOperator(node, compiler);
    case 'unary':
      if (node.value === '-') return compileNegation(node, compiler);
      return node.value === '[' ? compileArray(node, compiler) : compileObject(node, compiler);
    case 'condition':
      return compileCondition(node, compiler);
    case 'variable':
      return compileVariable(node, compiler);
    case 'block':
      return compileBlock(node, compiler);
    case 'function':
      return compileCall(node, compiler, null);
    case 'apply':
      return compileApply(node, compiler);
    default:
      return giveUp(node.type);
  }
}

function compileCondition(node: SyntaxNode, compiler: Compiler): Evaluator {
  if (node.condition === undefined || node.then === undefined) return giveUp('condition');
  const condition = compiler.compile(node.condition);
  const met = compiler.compile(node.then);
  const otherwise = node.else === undefined ? (): undefined => undefined : compiler.compile(node.else);
  return (input, root) => (toBoolean(condition(input, root)) ? met(input, root) : otherwise(input, root));
}

function compileVariable(node: SyntaxNode, { slots, variables }: Compiler): Evaluator {
  if (node.value === '') return (input) => input;
  if (node.value === '$') return (_input, root) => root;
  const slot = variables.get(String(node.value));
  if (slot === undefined) return giveUp('unbound variable');
  return () => slots[slot];
}

/** `(a; b)`: variables bound directly in it are known from there to its end. */
function compileBlock(node: SyntaxNode, compiler: Compiler): Evaluator {
  let inner = compiler.withVariables(new Map(compiler.variables));
  const statements: Evaluator[] = [];
  for (const statement of node.expressions ?? []) {
    if (statement.type !== 'bind') {
      statements.push(inner.compile(statement));
      continue;
    }
    const name = leftOf(statement)?.value;
    if (typeof name !== 'string' || name === '' || name === '$' || statement.rhs === undefined)
      return giveUp('bind');
    const value = inner.compile(statement.rhs);
    const { slots } = compiler;
    const slot = slots.push(undefined) - 1;
    statements.push((input, root) => {
      slots[slot] = value(input, root);
      return slots[slot];
    });
    inner = inner.withVariables(new Map([...inner.variables, [name, slot]]));
  }
  const [only] = statements;
  if (statements.length === 1 && only !== undefined) return only;
  return (input, root) => {
    let value: unknown;
    for (const statement of statements) value = statement(input, root);
    return value;
  };
}

function compileApply(node: SyntaxNode, compiler: Compiler): Evaluator {
  const left = leftOf(node);
  if (left === undefined || node.rhs?.type !== 'function' || node.rhs.predicate !== undefined)
    return giveUp('apply');
  if (node.rhs.group !== undefined || node.rhs.keepArray === true) return giveUp('apply');
  return compileCall(node.rhs, compiler, compiler.compile(left));
}
