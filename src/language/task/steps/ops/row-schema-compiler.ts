import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Path } from '../../../yaml/yaml-path.ts';

/** What is wrong with a value of a row. */
export interface RowProblem {
  /** The column; null where the row as a whole does not fit. */
  readonly column: string | null;
  /** All that is wrong, each with its path: `/amount must be >= 0`. */
  readonly message: string;
}

/** What is wrong with a row, or null. */
export type RowCheck = (row: Readonly<Record<string, unknown>>) => RowProblem | null;

export type CompiledRowSchema =
  | { readonly check: RowCheck }
  /** `path` leads to the part that is wrong, as far as that is known. */
  | { readonly problem: string; readonly path: Path };

/** Problems of one row that its message names. */
const PROBLEMS_MAX = 5;
/** Unknown keywords and formats are refused: they would be no check at all. */
const OPTIONS: Options = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
  allErrors: true,
};
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** Each keeps the schema of schemas, whose making takes longer than that of a check. */
const CURRENT = withFormats(new Ajv2020(OPTIONS));
const OLD = withFormats(new Ajv(OPTIONS));

/** Makes a check of rows out of a JSON Schema. */
export function compileRowSchema(schema: Readonly<Record<string, unknown>>): CompiledRowSchema {
  const { $schema, $async } = schema;
  if ($async !== undefined) return { problem: '"$async" is not allowed', path: ['$async'] };
  const ajv = typeof $schema === 'string' && DRAFT_07.test($schema) ? OLD : CURRENT;
  try {
    if (ajv.validateSchema(schema) !== true) {
      const [error] = ajv.errors ?? [];
      const path = error?.instancePath.split('/').slice(1).map(unescaped) ?? [];
      return { problem: error === undefined ? 'its form is unknown' : worded(error), path };
    }
    const fits = ajv.compile(schema);
    return { check: (row) => (fits(row) ? null : problemOf(fits.errors ?? [])) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), path: [] };
  } finally {
    // The next schema may have the same `$id`.
    ajv.removeSchema(schema);
  }
}

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv);
  return ajv;
}

function problemOf(errors: readonly ErrorObject[]): RowProblem {
  const shown = errors.slice(0, PROBLEMS_MAX).map(worded);
  const more = errors.length > shown.length ? `; and ${errors.length - shown.length} more` : '';
  const columns = new Set(errors.map(columnOf));
  const [column = null] = columns;
  return { column: columns.size === 1 ? column : null, message: `${shown.join('; ')}${more}` };
}

function columnOf({ instancePath, keyword, params }: ErrorObject): string | null {
  const [, column] = instancePath.split('/');
  if (column !== undefined) return unescaped(column);
  if (keyword === 'required') return String((params as { missingProperty: unknown }).missingProperty);
  return null;
}

function worded({ instancePath, message = 'does not fit', keyword, params }: ErrorObject): string {
  const { allowedValues, additionalProperty, allowedValue } = params as Record<string, unknown>;
  const detail =
    keyword === 'enum'
      ? `: ${(allowedValues as readonly unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
      : keyword === 'const'
        ? ` ${JSON.stringify(allowedValue)}`
        : keyword === 'additionalProperties'
          ? ` such as "${String(additionalProperty)}"`
          : '';
  return `${instancePath === '' ? '' : `${instancePath} `}${message}${detail}`;
}

/** A part of a JSON pointer as it was. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
