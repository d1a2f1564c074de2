import { REFRESH_SECONDS } from '../dashboard/read-widget.ts';
import { method } from '../declare/connector-call.ts';
import { jobConfigDefinitions } from '../template/job-config.ts';
import {
  createSchemaKit,
  type JsonSchema,
  objectOf,
  type Properties,
  type SchemaKit,
  when,
} from './schema-kit.ts';
import { widgetDefinitions, widgetSchema } from './widget-schemas.ts';

/** An `http(s)`, `mailto` or `tel` URL, or one of this site; the parser looks closer. */
const HREF =
  '^(?:[Hh][Tt][Tt][Pp][Ss]?://[^/?#]|(?:[Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]):.|(?!//)[^/?#:]*(?:[/?#]|$))[^\\u0000-\\u0020\\u007f-\\u00a0\\\\]*$';
const WIDGETS_MAX = 500;

/** The schema of a dashboard's YAML, wrapped in `dashboard:` or bare. */
export function dashboardSchema(): JsonSchema {
  const kit = createSchemaKit({ variables: true });
  const wrapped: JsonSchema = {
    additionalProperties: false,
    properties: { dashboard: { $ref: '#/$defs/dashboard' } },
  };
  return {
    title: 'Headgate dashboard',
    description: 'Pages of widgets over the connectors of a job.',
    type: 'object',
    ...when({ required: ['dashboard'] }, wrapped, { $ref: '#/$defs/dashboard' }),
    $defs: {
      ...kit.definitions,
      ...jobConfigDefinitions({ variables: true }),
      ...widgetDefinitions(kit),
      dashboard: documentSchema(kit),
      widget: widgetSchema(),
    },
  };
}

function documentSchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    title: kit.text('The heading of the page.'),
    description: kit.text('Said below the heading.'),
    navbar_ctas: kit.list('Links in the page’s header.', ctaSchema(kit), { max: 20 }),
    refresh_interval_seconds: kit.number(
      'Widgets that say nothing else are read again so often.',
      REFRESH_SECONDS.min,
      REFRESH_SECONDS.max,
    ),
    scope: scopeSchema(kit),
    default_scope: kit.text('The profile of `scope` for widgets that name none.'),
    allow_public_input: kit.flag('Whether people with the share link may fill in and act; false by default.'),
    shared_queries: kit.entries(
      'Connector calls that several widgets read, by their names.',
      callSchema(kit),
      'key',
    ),
    pages: {
      description: 'The pages.',
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: pageSchema(kit),
    },
    widgets: widgetsSchema('The widgets of a dashboard of one page.'),
  };
  return objectOf('Pages of widgets.', properties, {
    neverEmpty: ['pages', 'widgets'],
    rules: [when({ required: ['pages'] }, { not: { required: ['widgets'] } }, { required: ['widgets'] })],
  });
}

function widgetsSchema(words: string): JsonSchema {
  return { description: words, type: 'array', maxItems: WIDGETS_MAX, items: { $ref: '#/$defs/widget' } };
}

function pageSchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    id: kit.name('Of the page.', 'key'),
    title: { description: 'Of its tab.', type: 'string', minLength: 1, maxLength: 10_000 },
    public: kit.flag('Whether people with the share link see it; true by default.'),
    widgets: widgetsSchema('The widgets of the page.'),
  };
  const page = objectOf('A page.', properties, { required: ['id', 'title', 'widgets'] });
  return { title: 'A page', ...page };
}

function ctaSchema(kit: SchemaKit): JsonSchema {
  const href = { type: 'string', minLength: 1, maxLength: 2_000, pattern: HREF };
  const properties: Properties = {
    label: kit.text('What people read.'),
    href: { description: 'An http(s), mailto or tel URL, or one of this site.', ...href },
    variant: kit.oneOf('How it looks; button by default.', ['button', 'link']),
    icon: kit.name('The name of an icon.', 'key'),
    text: kit.text('Said beside it.'),
  };
  return objectOf('A link.', properties, { required: ['label', 'href'] });
}

function scopeSchema(kit: SchemaKit): JsonSchema {
  const filter: JsonSchema = {
    description: 'Fields to what they must be; `{{ expression }}` over job, job_config and args.',
    type: 'object',
  };
  const { propertyNames } = createSchemaKit({ variables: false }).entries('', {}, 'word');
  const profile: JsonSchema = {
    description: 'Connectors to filters.',
    type: 'object',
    propertyNames,
    additionalProperties: filter,
  };
  return kit.entries('Profiles: what the calls of widgets are limited to.', profile, 'key');
}

function callSchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    connector: kit.name('One of the job’s connectors.', 'word'),
    method: method.schema({ variables: true }),
    args: kit.anyMap('Arguments of the method, with `{{ expression }}` in their texts.'),
  };
  return objectOf('A connector call.', properties, { required: ['connector', 'method'] });
}
