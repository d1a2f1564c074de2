import { isSafeHref } from '../safe-href.ts';
import { evaluateKey, fieldOf, itemsOf, type PayloadInput, textOrNull } from './payload-input.ts';
import { widgetKind } from './widget-kind.ts';
import { items_expr, overItem } from './widget-values.ts';

const PEOPLE_MAX = 200;
const TEXTS = ['name', 'role', 'email', 'phone'] as const;
const LINKS = ['avatar', 'href'] as const;
type Field = (typeof TEXTS)[number] | (typeof LINKS)[number];

interface PeoplePayload {
  readonly people: readonly Readonly<Record<Field, string | null>>[];
}

export const peopleWidget = widgetKind({
  type: 'people',
  words:
    'Contact cards. Without expressions, items have `name`, `role`, `email`, `phone`, `avatar` and `href`.',
  width: 6,
  bound: true,
  keys: {
    items_expr,
    name_expr: overItem('The name of an `item`.'),
    role_expr: overItem('The role of an `item`.'),
    email_expr: overItem('The email address of an `item`.'),
    phone_expr: overItem('The phone number of an `item`.'),
    avatar_expr: overItem('The picture URL of an `item`.'),
    href_expr: overItem('The link target of an `item`’s card.'),
  },
  payload: peoplePayload,
});

/** Links that are not plain web, mail, telephone or relative ones are left out. */
async function peoplePayload(input: PayloadInput): Promise<PeoplePayload> {
  const items = (await itemsOf(input)).slice(0, PEOPLE_MAX);
  const read = async (field: Field, item: unknown, index: number) =>
    textOrNull(
      `${field}_expr` in input.config
        ? await evaluateKey(input, `${field}_expr`, { item, index })
        : fieldOf(item, field),
    );
  const people = [];
  for (const [index, item] of items.entries()) {
    const person = { name: null, role: null, email: null, phone: null, avatar: null, href: null } as Record<
      Field,
      string | null
    >;
    for (const field of TEXTS) person[field] = await read(field, item, index);
    for (const field of LINKS) {
      const link = await read(field, item, index);
      person[field] = link !== null && isSafeHref(link) ? link : null;
    }
    people.push(person);
  }
  return { people };
}
