import { isRecord } from '../../../base/json.ts';
import { type Conditions, ConnectorError, type PageRequest } from '../../driver.ts';
import { type LiteralPlace, literalOf } from './literal.ts';
import { propertyAt, type Subject } from './property.ts';

const CONDITIONS_MAX = 100;
const VALUES_MAX = 1_000;
const DEPTH_MAX = 8;

/** Of one application: whether its `contains` heeds case, so that both sides are folded. */
export interface FilterStyle {
  readonly foldsCase: boolean;
}

/** Writes conditions as `$filter` expressions (OData 4.01 URL Conventions, 5.1.1). */
export class FilterWriter {
  readonly #subject: Subject | null;
  readonly #style: FilterStyle;
  #count = 0;

  constructor(subject: Subject | null, style: FilterStyle) {
    this.#subject = subject;
    this.#style = style;
  }

  /**
   * One expression that all conditions join by `and`; empty without any. As in SQL, a property without a value matches `is_null`,
   * `eq: null` and `or_null` alone. Throws `CONFIG` for an unknown operator, property or unfit value.
   */
  conditions(filters: readonly Conditions[]): string {
    const parts = filters.flatMap((filter) =>
      Object.entries(filter).flatMap(([path, wanted]) =>
        this.#tests(propertyAt(this.#subject, path), wanted, DEPTH_MAX),
      ),
    );
    return parts.join(' and ');
  }

  search({ text, columns }: NonNullable<PageRequest['search']>): string {
    const places = columns.map((path) => propertyAt(this.#subject, path));
    const texts = places.filter(({ type }) => type === null || type === 'Edm.String');
    return texts.length === 0
      ? this.#nothing()
      : `(${texts.map((place) => this.#contains(place, text)).join(' or ')})`;
  }

  #tests(place: LiteralPlace, wanted: unknown, depth: number): string[] {
    const operators = isRecord(wanted) ? Object.entries(wanted) : [['eq', wanted] as const];
    if (operators.length === 0)
      throw new ConnectorError('CONFIG', `The filter on "${place.name}" has no operator`);
    return operators.flatMap(([operator, value]) => {
      if (operator === 'and') return this.#all(place, value, depth);
      this.#count++;
      if (this.#count > CONDITIONS_MAX)
        throw new ConnectorError('CONFIG', `A filter has at most ${CONDITIONS_MAX} conditions`);
      return [
        operator === 'or_null' ? this.#orNull(place, value, depth) : this.#test(place, operator, value),
      ];
    });
  }

  #all(place: LiteralPlace, value: unknown, depth: number): string[] {
    if (!Array.isArray(value) || value.length === 0 || depth === 0)
      throw new ConnectorError(
        'CONFIG',
        `The operator "and" on "${place.name}" takes a list of conditions, up to ${DEPTH_MAX} deep`,
      );
    return value.flatMap((item: unknown) => this.#tests(place, item, depth - 1));
  }

  #orNull(place: LiteralPlace, value: unknown, depth: number): string {
    if (!isRecord(value) || depth === 0)
      throw new ConnectorError('CONFIG', `The operator "or_null" on "${place.name}" takes a condition`);
    return `((${this.#tests(place, value, depth - 1).join(' and ')}) or ${place.name} eq null)`;
  }

  #test(place: LiteralPlace, operator: string, value: unknown): string {
    const { name } = place;
    switch (operator) {
      case 'eq':
      case 'gt':
      case 'lt':
        return `${name} ${operator} ${literalOf(value, place)}`;
      case 'gte':
        return `${name} ge ${literalOf(value, place)}`;
      case 'lte':
        return `${name} le ${literalOf(value, place)}`;
      case 'ne':
        return value === null
          ? `${name} ne null`
          : `(${name} ne ${literalOf(value, place)} and ${name} ne null)`;
      case 'in':
        return this.#among(place, value);
      case 'contains':
        if (typeof value !== 'string')
          throw new ConnectorError('CONFIG', `The operator "contains" on "${name}" takes a text`);
        return this.#contains(place, value);
      case 'is_null':
        if (typeof value !== 'boolean')
          throw new ConnectorError('CONFIG', `The operator "is_null" on "${name}" takes true or false`);
        return `${name} ${value ? 'eq' : 'ne'} null`;
      default:
        throw new ConnectorError(
          'CONFIG',
          `The filter on "${name}" has the unknown operator "${operator}"; use eq, ne, gt, gte, lt, lte, in, contains, is_null, and or or_null`,
        );
    }
  }

  /** `or` in place of the operator `in`, which came with OData 4.01. */
  #among(place: LiteralPlace, value: unknown): string {
    if (!Array.isArray(value) || value.length > VALUES_MAX)
      throw new ConnectorError(
        'CONFIG',
        `The operator "in" on "${place.name}" takes a list of at most ${VALUES_MAX} values`,
      );
    if (value.length === 0) return this.#nothing();
    return `(${value.map((item: unknown) => `${place.name} eq ${literalOf(item, place)}`).join(' or ')})`;
  }

  #contains(place: LiteralPlace, text: string): string {
    const { name, type } = place;
    if (type !== null && type !== 'Edm.String')
      throw new ConnectorError(
        'CONFIG',
        `The operator "contains" takes a property of text, which "${name}" is not`,
      );
    const wanted = (value: string) => literalOf(value, { ...place, type: 'Edm.String' });
    return this.#style.foldsCase
      ? `contains(tolower(${name}),${wanted(text.toLowerCase())})`
      : `contains(${name},${wanted(text)})`;
  }

  /** True for no record: a key always has a value. */
  #nothing(): string {
    const key = this.#subject?.type.key[0];
    return key === undefined ? 'false' : `${key} eq null`;
  }
}
