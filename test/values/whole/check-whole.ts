import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { CANONICAL_VALUES } from '../canonical-values.ts';
import { checkTarget } from '../check-target.ts';
import type { TypedTarget } from '../target.ts';
import { WAYS } from '../try-cells.ts';
import { sectionOf, type Tried, targetSection, withSection } from '../values-page.ts';

export const VALUES_PAGE = join(import.meta.dirname, '../../../docs/reference/values.md');
/** Writes the page anew instead of comparing it. */
export const writesPage = process.env['HEADGATE_TEST_WRITES_VALUES'] === '1';
export const OUT_OF_DATE =
  'docs/reference/values.md is out of date: HEADGATE_TEST_WRITES_VALUES=1 npm test -- test/values';

/** Every value into every type of the target, in every way; the page of the documentation says what becomes of it. */
export function checkWhole(t: Test, target: TypedTarget): void {
  t.setTimeout(600_000);
  checkTarget(t, target, { ...WHOLE, onTried: (t, tried) => checkSection(t, target.name, tried) });
}

export const WHOLE = { values: CANONICAL_VALUES, columns: null, ways: WAYS } as const;

/** The section of the page is that of what was tried, or is written anew. */
export function checkSection(t: Test, name: string, tried: Tried): void {
  const section = targetSection(name, tried);
  if (writesPage) writeFileSync(VALUES_PAGE, withSection(readFileSync(VALUES_PAGE, 'utf8'), name, section));
  t.equal(sectionOf(readFileSync(VALUES_PAGE, 'utf8'), name), section, OUT_OF_DATE);
}
