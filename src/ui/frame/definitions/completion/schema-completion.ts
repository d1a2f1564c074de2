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
import { describe, describeChoice, keysOf, type SchemaKey, schemasAt, shapeOf } from './schema-walk.ts';
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
          dom.append(wordsOf(text));
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
  const before = state.sliceDoc(line.from, from);
  if (!explicit && typed === '' && place.key === null && !isAwaited(state, line.number, before)) return null;
  const options =
    place.key === null
      ? keyOptions(vocabulary, state, place, /^[\s-]*$/.test(before) ? from - line.from : null)
      : valueOptions(vocabulary, state, place, place.key);
  return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
}

/** Whether something has to follow what stands there: an item after its dash, or what is under a key. */
function isAwaited(state: EditorState, line: number, before: string): boolean {
  if (/^\s*-\s+$/.test(before)) return true;
  return line > 1 && /^\s+$/.test(before) && /:\s*$/.test(state.doc.line(line - 1).text);
}

/** `column`: where a key begins that stands on a line of its own, so that what is under it can begin a line; null inside of brackets. */
function keyOptions(
  vocabulary: Vocabulary,
  state: EditorState,
  place: YamlPlace,
  column: number | null,
): Completion[] {
  const { schema } = vocabulary;
  const entries = place.levels.at(-1)?.entries;
  const call = callAround(vocabulary, state, place);
  const known = schema === null ? [] : keysOf(schemasAt(schema, place.levels));
  const args = call === null ? [] : argumentsAt(call);
  const below = (key: SchemaKey, dash = 0) =>
    schema === null || column === null ? '' : opening(shapeOf(schema, key.value), column + dash);
  const options = [
    ...known.map((key) => keyOption(key, key.description, below(key))),
    ...args.map((key) => ({
      ...keyOption(key, argumentMeaning(state, key), ''),
      ...(key.isRequired && { detail: state.phrase('required') }),
    })),
  ].filter(({ label }) => !entries?.has(label));
  if (options.length > 0 || schema === null || column === null) return options;
  // Where a list stands: the keys of a further item, with its dash.
  const item = keysOf(schemasAt(schema, [...place.levels, { step: null, entries: new Map() }]));
  return item.map((key) => {
    const option = keyOption(key, key.description, below(key, 2));
    return { ...option, label: `- ${option.label}`, apply: `- ${option.apply}` };
  });
}

/** What follows a key whose value is written below it. */
function opening(shape: ReturnType<typeof shapeOf>, column: number): string {
  if (shape === 'scalar') return '';
  return `\n${' '.repeat(column + 2)}${shape === 'list' ? '- ' : ''}`;
}

function keyOption({ name, isRequired }: SchemaKey, info: string | null, below: string) {
  return {
    label: name,
    apply: below === '' ? `${name}: ` : `${name}:${below}`,
    type: 'property',
    boost: isRequired ? 1 : 0,
    ...meaning(info),
  };
}

function meaning(text: string | null): Pick<Completion, 'info'> {
  return text === null ? {} : { info: () => wordsOf(text) };
}

/** A description with its code words. */
function wordsOf(text: string): Node {
  const words = document.createElement('span');
  for (const [index, part] of text.split('`').entries()) {
    const piece = document.createElement(index % 2 === 1 ? 'code' : 'span');
    piece.textContent = part;
    words.append(piece);
  }
  return words;
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
  const { schema } = vocabulary;
  const schemas = schema === null ? [] : schemasAt(schema, place.levels);
  return [...new Set([...names, ...choices])].map((label) => ({
    label,
    type: 'enum',
    ...meaning(schema === null ? null : describeChoice(schema, schemas, key, label)),
  }));
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
