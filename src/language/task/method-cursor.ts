/**
 * How a method that gives rows takes the bounds of a cursor. `conditions`: as conditions per column under the argument `arg`; `sort` is
 * the argument that orders the rows, where the source can; `limit` one that would cut off rows which the cursor then passes over;
 * `param` one that takes `{field, param}`: the parameter of a request that carries the least value of the field.
 * `divides`: conditions of a column part its rows exactly, whatever their values: each row with a value is on one side of `lt` and `gte`, and of
 * `eq` and `ne`, and one without meets `is_null` alone.
 * `files`: the rows are those of whole files, which can be listed.
 * `state`: the source says itself what is new, by a state that it gives and gets back (`ReadRequest.state`).
 * `by_hand`: the arguments read `state.cursor` themselves; `example` shows how, with `<field>` for the cursor's field.
 */
export type MethodCursor =
  | {
      readonly kind: 'conditions';
      readonly arg: string;
      readonly sort?: string;
      readonly limit?: string;
      readonly param?: string;
      readonly divides?: true;
      readonly files?: true;
    }
  | { readonly kind: 'state' }
  | { readonly kind: 'by_hand'; readonly example: string };
