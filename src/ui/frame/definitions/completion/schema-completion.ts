import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { hoverTooltip, keymap } from '@codemirror/view';
import { choicesOf, describe, keysOf, type Schema, schemasAt } from './schema-walk.ts';
import { placeAt, type YamlPlace } from './yaml-place.ts';

/** Names in the text that a key may refer to, by the key. */
const references: Readonly<Record<string, 'connectors' | 'ids'>> = {
  connector: 'connectors',
  input: 'ids',
  needs: 'ids',
};

/** Completes keys and values by a JSON Schema, and says what a key means. The schema may come later: until then there is none. */
export function schemaCompletion(schema: Promise<Schema | null>): Extension {
  let known: Schema | null = null;
  void schema.then((found) => {
    known = found;
  });
  return [
    autocompletion({
      override: [(context) => (known === null ? null : complete(known, context))],
      icons: false,
    }),
    keymap.of(completionKeymap),
    hoverTooltip((view, position) => {
      if (known === null) return null;
      const word = view.state.wordAt(position);
      const text = word === null ? null : meaningOf(known, view.state, word.from);
      if (word === null || text === null) return null;
      return {
        pos: word.from,
        end: word.to,
        above: true,
        create() {
          const dom = document.createElement('p');
          dom.className = 'cm-meaning';
          dom.textContent = text;
          return { dom };
        },
      };
    }),
  ];
}

function complete(schema: Schema, { state, pos, explicit }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const place = placeIn(state, pos);
  if (place === null) return null;
  const from = line.from + place.from;
  const typed = state.sliceDoc(from, pos);
  if (!explicit && typed === '' && place.key === null) return null;
  const options =
    place.key === null ? keyOptions(schema, place) : valueOptions(schema, state, place, place.key);
  return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
}

function keyOptions(schema: Schema, place: YamlPlace): Completion[] {
  const entries = place.levels.at(-1)?.entries;
  return keysOf(schemasAt(schema, place.levels))
    .filter(({ name }) => !entries?.has(name))
    .map(({ name, description, isRequired }) => ({
      label: name,
      apply: `${name}: `,
      type: 'property',
      boost: isRequired ? 1 : 0,
      ...(description !== null && { info: description }),
    }));
}

function valueOptions(schema: Schema, state: EditorState, place: YamlPlace, key: string): Completion[] {
  const named = references[key];
  const names = named === undefined ? [] : namesIn(state.doc.toString(), named);
  const choices = choicesOf(schema, schemasAt(schema, place.levels), key);
  return [...new Set([...names, ...choices])].map((label) => ({ label, type: 'enum' }));
}

function meaningOf(schema: Schema, state: EditorState, position: number): string | null {
  const line = state.doc.lineAt(position);
  const word = /^[\w.-]+(?=\s*:)/.exec(line.text.slice(position - line.from))?.[0];
  if (word === undefined) return null;
  const place = placeIn(state, position);
  return place === null || place.key !== null
    ? null
    : describe(schema, schemasAt(schema, place.levels), word);
}

function placeIn(state: EditorState, position: number): YamlPlace | null {
  const line = state.doc.lineAt(position);
  return placeAt(state.doc.toString().split('\n'), line.number - 1, position - line.from);
}

/** Names that the text declares: of connectors, or of steps, nodes and queries by their `id`. */
function namesIn(text: string, kind: 'connectors' | 'ids'): string[] {
  if (kind === 'ids') return [...text.matchAll(/(?:^|[\s{,])id:\s*([\w-]+)/g)].map(([, name = '']) => name);
  const block = /^connectors:[ \t]*\n((?:[ \t]+.*\n?|[ \t]*\n)*)/m.exec(text)?.[1] ?? '';
  const indent = /^[ \t]+/.exec(block)?.[0] ?? '';
  const inBlock = [...block.matchAll(/^([ \t]+)([\w-]+):/gm)]
    .filter(([, before]) => before === indent)
    .map(([, , name = '']) => name);
  const flow = /^connectors:[ \t]*\{(.*)\}[ \t]*$/m.exec(text)?.[1] ?? '';
  return [...inBlock, ...[...flow.matchAll(/([\w-]+):\s*\{/g)].map(([, name = '']) => name)];
}
