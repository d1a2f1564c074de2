/**
 * `unscoped`: a raw statement, which a scope does not reach into. `conditions`: conditions per column under the argument `arg`,
 * joined by AND; a call with one of the arguments `without`, which reach past them, is refused. `document`: a filter under `arg`, merged as `{$and: [scope, filter]}`. `pipeline`: stages under `arg`, with the
 * scope as a `$match` first, there and in every pipeline inside it that reads. `args`: top-level arguments that win over the call's.
 */
export type MethodScope =
  | { readonly kind: 'unscoped' }
  | { readonly kind: 'conditions'; readonly arg: string; readonly without?: readonly string[] }
  | { readonly kind: 'document'; readonly arg: string }
  | { readonly kind: 'pipeline'; readonly arg: string }
  | { readonly kind: 'args' };
