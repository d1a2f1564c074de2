import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { hoverTooltip, keymap } from '@codemirror/view';
import {
  argumentsAt,
  type ConnectorPlace,
  choicesAt,
  connectorPlace,
  defaultOf,
  isConnectorType,
} from './connector-call.ts';
import { completeExpression, meaningOfFunction } from './expression-completion.ts';
import { completeNames } from './name-completion.ts';
import { describe, keysOf, type SchemaKey, schemasAt } from './schema-walk.ts';
import { connectorsIn, type Vocabulary } from './vocabulary.ts';
import { placeAt, type YamlPlace } from './yaml-place.ts';

/** Names in the text that a key may refer to, by the key. */
const references: Readonly<Record<string, 'connectors' | 'ids'>> = {
  connector: 'connectors',
  input: 'ids',
  needs: 'ids',
};

/**
 * Completes keys and values by a JSON Schema, methods and arguments by the types of the connectors, and tables and columns by what the
 * connectors answer, names and functions of expressions, and says what they mean.
 * `vocabulary` is asked each time: what it knows may come later.
 */
export function schemaCompletion(vocabulary: () => Vocabulary): Extension {
  return [
    autocompletion({
      override: [
        (context) => complete(vocabulary(), context),
        (context) => completeNames(vocabulary().names, context),
        (context) => completeExpression(vocabulary(), context),
      ],
      // After a key come its values.
      activateOnCompletion: ({ type }) => type === 'property',
      icons: false,
    }),
    keymap.of(completionKeymap),
    hoverTooltip((view, position) => {
      const word = view.state.wordAt(position);
      const text = word === null ? null : meaningOf(vocabulary(), view.state, word.from);
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

function complete(
  vocabulary: Vocabulary,
  { state, pos, explicit }: CompletionContext,
): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const place = placeIn(state, pos);
  if (place === null) return null;
  const from = line.from + place.from;
  const typed = state.sliceDoc(from, pos);
  if (!explicit && typed === '' && place.key === null) return null;
  const options =
    place.key === null
      ? keyOptions(vocabulary, state, place)
      : valueOptions(vocabulary, state, place, place.key);
  return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
}

function keyOptions(vocabulary: Vocabulary, state: EditorState, place: YamlPlace): Completion[] {
  const { schema } = vocabulary;
  const entries = place.levels.at(-1)?.entries;
  const call = callAround(vocabulary, state, place);
  const known = schema === null ? [] : keysOf(schemasAt(schema, place.levels));
  const args = call === null ? [] : argumentsAt(call);
  return [
    ...known.map((key) => keyOption(key, key.description)),
    ...args.map((key) => ({
      ...keyOption(key, argumentMeaning(state, key)),
      ...(key.isRequired && { detail: state.phrase('required') }),
    })),
  ].filter(({ label }) => !entries?.has(label));
}

function keyOption({ name, isRequired }: SchemaKey, info: string | null): Completion {
  return {
    label: name,
    apply: `${name}: `,
    type: 'property',
    boost: isRequired ? 1 : 0,
    ...(info !== null && { info }),
  };
}

function valueOptions(
  vocabulary: Vocabulary,
  state: EditorState,
  place: YamlPlace,
  key: string,
): Completion[] {
  if (isConnectorType(place))
    return vocabulary.connectorTypes.map(({ type, title }) => ({ label: type, detail: title, type: 'enum' }));
  const call = callAround(vocabulary, state, place);
  if (call?.args === null && key === 'method')
    return call.methods.map(({ name, summary }) => ({ label: name, detail: summary, type: 'enum' }));
  const named = references[key];
  const names = named === undefined ? [] : namesIn(vocabulary, state.doc.toString(), named);
  const choices = choicesAt(vocabulary.schema, place, key, call);
  return [...new Set([...names, ...choices])].map((label) => ({ label, type: 'enum' }));
}

function meaningOf(vocabulary: Vocabulary, state: EditorState, position: number): string | null {
  const line = state.doc.lineAt(position);
  const called = /^\w+(?=\()/.exec(line.text.slice(position - line.from))?.[0];
  const isCall = called !== undefined && line.text[position - line.from - 1] === '$';
  if (isCall) return meaningOfFunction(`$${called}`);
  const [text, word = ''] = /^([\w.-]+)\s*:?/.exec(line.text.slice(position - line.from)) ?? [];
  const place = text === undefined ? null : placeIn(state, position);
  if (place === null) return null;
  const call = callAround(vocabulary, state, place);
  if (place.key === 'method' && call?.args === null)
    return call.type.methods.find(({ name }) => name === word)?.summary ?? null;
  if (place.key !== null || !text?.endsWith(':')) return null;
  const argument = call === null ? undefined : argumentsAt(call).find(({ name }) => name === word);
  if (argument !== undefined) return argumentMeaning(state, argument);
  const { schema } = vocabulary;
  return schema === null ? null : describe(schema, schemasAt(schema, place.levels), word);
}

/** What an argument means, whether it is required, and its default. */
function argumentMeaning(state: EditorState, key: SchemaKey): string | null {
  const given = defaultOf(key);
  const parts = [
    ...(key.description === null ? [] : [key.description]),
    ...(key.isRequired ? [state.phrase('Required.')] : []),
    ...(given === null ? [] : [state.phrase('Default: $.', given)]),
  ];
  return parts.length === 0 ? null : parts.join(' ');
}

function callAround(vocabulary: Vocabulary, state: EditorState, place: YamlPlace): ConnectorPlace | null {
  const declared = new Map([...vocabulary.connectors, ...connectorsIn(state.doc.toString())]);
  return connectorPlace(place, vocabulary.connectorTypes, declared);
}

function placeIn(state: EditorState, position: number): YamlPlace | null {
  const line = state.doc.lineAt(position);
  return placeAt(state.doc.toString().split('\n'), line.number - 1, position - line.from);
}

/** Names that are declared: of connectors, or of steps, nodes and queries by their `id`. */
function namesIn({ connectors }: Vocabulary, text: string, kind: 'connectors' | 'ids'): string[] {
  return kind === 'ids'
    ? [...text.matchAll(/(?:^|[\s{,])id:\s*([\w-]+)/g)].map(([, name = '']) => name)
    : [...connectors.keys(), ...connectorsIn(text).keys()];
}
