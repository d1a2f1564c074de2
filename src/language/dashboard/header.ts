import { isRecord } from '../../base/json.ts';
import { entriesOf, listOf, map } from '../declare/map.ts';
import { special, type Value } from '../declare/value.ts';
import { authorsMap, name, nameSchema, oneOf, text } from '../declare/values.ts';
import { readTemplate } from '../yaml/expression-reader.ts';
import { type MapReader, nameProblem, typeName } from '../yaml/map-reader.ts';
import { DASHBOARD_NAMES } from '../yaml/scope-names.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { isSafeHref } from './safe-href.ts';
import { holdsVariable } from './substitute-vars.ts';
import { CONNECTOR_CALL } from './widgets/widget-binding.ts';

export type NavbarCta = ReturnType<(typeof CTA)['from']>;

/** An `http(s)`, `mailto` or `tel` URL, or one of this site; `isSafeHref` looks closer. */
const HREF_FORM =
  '^(?:[Hh][Tt][Tt][Pp][Ss]?://[^/?#]|(?:[Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]):.|(?!//)[^/?#:]*(?:[/?#]|$))[^\\u0000-\\u0020\\u007f-\\u00a0\\\\]*$';

const placeOf = (cta: MapReader) => `dashboard.navbar_ctas[${cta.path.at(-1)}]`;

const HREF = special(
  'Link target: an http(s), mailto or tel URL, or a path on this site.',
  { type: 'string', minLength: 1, maxLength: 2_000, pattern: HREF_FORM },
  (cta, key) => {
    const href = cta.value(key);
    if (typeof href === 'string' && isSafeHref(withoutVariables(href))) return href;
    cta.wrong(key, `${placeOf(cta)}.${key} must be an http(s), mailto, tel, or relative URL`);
    return '';
  },
  { required: true },
);

const LABEL = text('The text of the link.');

const CTA = map('A link.', {
  label: {
    ...LABEL,
    required: true,
    read: (cta: MapReader, key: string) => {
      if (!cta.has(key)) cta.wrong(key, `${placeOf(cta)}.${key} is required`);
      return LABEL.read(cta, key) ?? '';
    },
  },
  href: HREF,
  variant: oneOf('How it looks.', ['button', 'link'], { default: 'button' }),
  icon: name('Icon name, such as life-ring.', 'key'),
  text: text('Text beside it.'),
});

export const NAVBAR_CTAS: Value<readonly NavbarCta[]> = listOf('Links in the header of the page.', CTA, {
  max: 20,
  default: [],
  place: 'dashboard.navbar_ctas',
});

/** Variables that are not put in yet stand for plain words. */
function withoutVariables(href: string): string {
  return holdsVariable(href) ? href.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, 'x') : href;
}

type Profile = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** `scope`: profile to connector to the fields of a filter, literal or with `{{ expression }}`. */
export const SCOPE = authorsMap(
  'Named profiles that limit what widgets can read.',
  {
    description: 'Filters by connector.',
    type: 'object',
    propertyNames: nameSchema('word'),
    additionalProperties: {
      description:
        'The filter, as `field: value`; texts may hold `{{ expression }}` with job, job_config and args.',
      type: 'object',
    },
  },
  (reader, key) => {
    const profiles = reader.entries(key, 'key').map(([name, value]) => {
      return [name, readProfile(reader, value, reader.at(key, name))] as const;
    });
    const read = Object.fromEntries(profiles);
    reader.check.declare(
      'scope',
      Object.keys(read).map((name) => [name, null]),
    );
    return read;
  },
  'key',
);

function readProfile({ check }: MapReader, value: unknown, path: Path): Profile {
  const filters: Record<string, Readonly<Record<string, unknown>>> = {};
  if (!isRecord(value)) {
    check.add(path, `"${path.at(-1)}" must be a map, not ${typeName(value)}`);
    return filters;
  }
  for (const [connector, filter] of Object.entries(value)) {
    const at = [...path, connector];
    const problem = nameProblem(connector, 'word');
    if (problem !== null) check.add(at, problem, 'key');
    else if (!isRecord(filter))
      check.add(at, `"${connector}" must be a map of filter fields, not ${typeName(filter)}`);
    else {
      readTemplate(check, filter, at, DASHBOARD_NAMES);
      filters[connector] = filter;
    }
  }
  return filters;
}

/** `shared_queries`: named connector calls that several widgets read. */
export const SHARED_QUERIES = entriesOf(
  'Named connector calls whose result is shared by widgets.',
  CONNECTOR_CALL,
  { kind: 'key', declares: 'shared_queries' },
);
