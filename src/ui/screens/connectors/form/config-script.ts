import { isRow as isRecord } from '../../../frame/records/row.ts';
import type { ScriptVariable } from '../../../kit/script-call.ts';
import type { ConfigField } from './config-schema.ts';
import { secretMask, secretPlaces } from './stored-secrets.ts';

type Values = Readonly<Record<string, unknown>>;

/** A configuration for a script, with a variable in the place of each secret, `$CONNECTOR_PASSWORD`, but for those that stay as they are stored. */
export function configScript(
  fields: readonly ConfigField[],
  config: Values,
): { readonly config: Values; readonly variables: readonly ScriptVariable[] } {
  const secrets = new Set(secretPlaces(fields));
  const groups = new Set(fields.flatMap(({ secretsKey }) => secretsKey ?? []));
  const variables: ScriptVariable[] = [];
  const hide = (values: Values, at: string, isSecret: boolean): Values =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const place = `${at}${key}`;
        const isHidden = value !== secretMask && (isSecret || secrets.has(place));
        if (isRecord(value) && !secrets.has(place))
          return [key, hide(value, `${place}/`, isHidden || groups.has(place))];
        if (!isHidden) return [key, value];
        const name = `CONNECTOR_${place.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
        variables.push({ name, isJson: typeof value !== 'string' });
        return [key, `$${name}`];
      }),
    );
  return { config: hide(config, '', false), variables };
}
