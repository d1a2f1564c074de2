import { isRecord } from '../../base/json.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';
import { cell, printTable } from './cells.ts';

/** A program may take seconds to start. */
const SPEC_MS_MAX = 60_000;

type Schema = Readonly<Record<string, unknown>>;
type Line = readonly [key: string, type: string, about: string, description: string];

/** `headgate connectors plugin`: the plug-ins of a server, or what the configuration of one holds. */
export async function showPlugin(name: string | undefined, options: ServerOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options, SPEC_MS_MAX);
    if (name === undefined) {
      const { result } = await api.GET('/api/connectors/plugins');
      if (out.isJson) out.json({ result });
      const none = 'No plug-in is set up on this server: see SVC_PLUGINS.';
      printTable(
        out,
        ['plug-in'],
        result.map((plugin) => [plugin.name]),
        { textColumns: 1, none },
      );
      return EXIT.ok;
    }
    const spec = await api.GET('/api/connectors/plugins/{name}/spec', { params: { path: { name } } });
    if (out.isJson) out.json(spec);
    const none = 'It needs no configuration.';
    printTable(out, ['key', 'type', '', 'description'], linesOf(spec.config), { textColumns: 4, none });
    return EXIT.ok;
  });
}

/** A line for each key, to any depth; alternatives stand below the key that tells them apart. */
function linesOf(schema: Schema, at = ''): readonly Line[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const { properties, oneOf, 'x-discriminator': key } = schema;
  const own = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, property]) =>
    isRecord(property)
      ? [lineOf(`${at}${name}`, property, required.includes(name)), ...linesOf(property, `${at}${name}.`)]
      : [],
  );
  const variants = (Array.isArray(oneOf) ? oneOf : []).filter(isRecord).flatMap((one) => {
    const tells = isRecord(one['properties']) && typeof key === 'string' ? one['properties'][key] : null;
    const constant = isRecord(tells) ? (tells['const'] ?? tells['enum']) : null;
    return linesOf(one, at).map(
      ([place, ...rest]): Line => [`${place} (${constant ?? one['title'] ?? ''})`, ...rest],
    );
  });
  return [...own, ...variants];
}

function lineOf(place: string, property: Schema, isRequired: boolean): Line {
  const { type, enum: values, const: constant, default: byDefault, description } = property;
  const kinds = Array.isArray(values)
    ? values.map(String).join(' | ')
    : [type ?? (property['oneOf'] ? 'object' : '')].flat().join(' | ');
  const about = [
    property['writeOnly'] === true ? 'secret' : '',
    isRequired ? 'required' : '',
    byDefault === undefined ? '' : `default ${JSON.stringify(byDefault)}`,
  ];
  return [
    cell(place),
    cell(constant === undefined ? kinds : JSON.stringify(constant)),
    cell(about.filter(Boolean).join(', ')),
    cell(typeof description === 'string' ? description : ''),
  ];
}
