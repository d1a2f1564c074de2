import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { outlineOf } from './document-outline.ts';
import type { NameSource } from './name-source.ts';
import { columnsOf, columnsOfStep } from './row-columns.ts';
import type { WantedNames } from './wanted-names.ts';
import { wantedNames } from './wanted-names.ts';
import { placeAt, type YamlPlace } from './yaml-place.ts';

/** Completes tables, files, collections and columns by what connectors answer. What takes long or fails completes nothing. */
export async function completeNames(
  names: NameSource,
  { state, pos, explicit }: CompletionContext,
): Promise<CompletionResult | null> {
  const line = state.doc.lineAt(pos);
  const text = state.doc.toString();
  const place = placeAt(text.split('\n'), line.number - 1, pos - line.from);
  const wanted = place === null ? null : wantedNames(place);
  if (place === null || wanted === null) return null;
  const from = line.from + place.from;
  if (!explicit && from === pos && place.key === null) return null;
  const found = await known(names, wanted, text);
  if (found.length === 0) return null;
  const taken = place.levels.at(-1)?.entries;
  const options = found
    .filter(({ name }) => place.key !== null || !taken?.has(name))
    .map(({ name, type }) => optionOf(name, type, isKeyOfMap(place)));
  return { from, options, validFor: /^[\w.$-]*$/ };
}

function known(names: NameSource, wanted: WantedNames, text: string) {
  if (wanted.kind === 'resources') return names.resources(wanted.connector);
  if (wanted.kind === 'columns') return columnsOf(names, wanted.connector, wanted.resource);
  return columnsOfStep(outlineOf(text).steps, wanted.step, names);
}

function optionOf(name: string, detail: string, isKey: boolean): Completion {
  const typed = /^[A-Za-z_][\w.$/-]*$/.test(name) ? name : JSON.stringify(name);
  return {
    label: name,
    apply: isKey ? `${typed}: ` : typed,
    type: 'constant',
    ...(detail !== '' && { detail }),
  };
}

const maps = ['filter', 'set', 'cast', 'rename', 'map'];

function isKeyOfMap({ levels, key }: YamlPlace): boolean {
  return key === null && maps.includes(levels.at(-1)?.step ?? '');
}
