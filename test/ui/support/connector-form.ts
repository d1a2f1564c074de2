import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import type { Served } from '../../support/served.ts';
import { checkLooks, type OpenApp } from './app-tests.ts';

/** The connector types whose forms each file of `test/ui/app/connector-forms` fills in. */
export const formTypes = {
  databases: ['sqlite', 'postgres', 'mysql', 'mongodb'],
  files: ['csv', 'json', 'parquet', 'excel', 'xml'],
  services: ['http', 'unified_api', 'business_app'],
  programs: ['airbyte', 'singer', 'singer_target'],
  others: ['dummy'],
} as const;

/** Every second of these types, others at each run (`HEADGATE_TEST_TIMES=2`: all): each walk takes six seconds of the processor. */
export function drawnTypes<T extends string>(t: Test, types: readonly T[]): readonly T[] {
  return seeded(t).someOf(types, oneIn(2, 2));
}

/** A program of a connector may take long to start. */
const waitMsMax = 60_000;

/** What somebody types for a peer that is there, and what is seen of it. */
export interface FormCase {
  /** Its title in the gallery. */
  readonly title: string;
  /** Texts and choices by their labels, in the order in which they are typed; `group/label` in a group. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of `fields`: those that are never shown again. */
  readonly secrets: readonly string[];
  /** One of the fields typed wrong, and what is said of it, beside the button or at the field. */
  readonly mistake: readonly [label: string, text: string, reason: RegExp];
  /** Null: it is only written to. */
  readonly shown: { readonly resource: string; readonly cell: string } | null;
}

export interface FormWalk {
  readonly open: OpenApp;
  readonly served: Served;
  readonly profile: BrowserContextOptions;
  /** Looks at the form with what is typed and refused. */
  readonly look?: (t: Test, page: Page) => Promise<void>;
}

/**
 * Chooses a type, types what its peer takes with one mistake, is told why it fails, mends it, saves, reads it again without its secrets,
 * saves that, and browses.
 */
export async function walkForm(t: Test, walk: FormWalk, form: FormCase): Promise<void> {
  const { open, served, profile, look = checkLooks } = walk;
  const { page, complaints } = await open(t, `${served.url}/connectors`, profile);
  page.setDefaultTimeout(waitMsMax);
  await page.getByRole('link', { name: 'New connector' }).click();
  await page.getByRole('link', { name: new RegExp(`^${RegExp.escape(form.title)}`) }).click();
  const name = `Connector of ${t.name}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  const [label, wrong, reason] = form.mistake;
  for (const [one, text] of Object.entries(form.fields)) await type(page, one, one === label ? wrong : text);

  const test = page.getByRole('button', { name: 'Test the connection' });
  // What is no JSON is not sent.
  if (await test.isEnabled()) await test.click();
  await refusal(page, reason).first().waitFor();
  await look(t, page);
  complaints.splice(0);
  await type(page, label, form.fields[label] ?? '');
  await test.click();
  await works(t, page);
  await page.getByRole('button', { name: 'Save the connector' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();

  await page.goto(`${served.url}/connectors`);
  await page.getByRole('link', { name }).click();
  await sameFields(t, page, form);
  await page.getByLabel('Description').fill('Saved again');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await test.click();
  await works(t, page);
  await browse(page, form);
  t.same(complaints, []);
}

async function works(t: Test, page: Page): Promise<void> {
  const outcome = page.locator('.test-outcome p').first();
  await outcome.waitFor();
  t.match(await outcome.textContent(), /^It works\./);
}

/** What says so: the outcome of a test, or the problems of a field. */
function refusal(page: Page, reason: RegExp): Locator {
  return page.locator('.test-outcome, .field-problems').getByText(reason);
}

/** By its label, which a group has within itself; what is seldom set is folded away. */
function fieldOf(page: Page, label: string): Locator {
  const parts = label.split('/');
  const own = RegExp.escape(parts.pop() ?? '');
  const within = parts.reduce<Page | Locator>(
    (at, group) => at.getByRole('group', { name: group, exact: true }),
    page,
  );
  return within.getByLabel(new RegExp(`^${own}( · required)?$`));
}

async function type(page: Page, label: string, text: string): Promise<void> {
  const field = fieldOf(page, label);
  await field.waitFor({ state: 'attached' });
  if (!(await field.isVisible())) await page.getByText('More settings').click();
  if (await field.evaluate(({ tagName }: { tagName: string }) => tagName === 'SELECT'))
    await field.selectOption({ label: text });
  else await field.fill(text);
}

async function sameFields(t: Test, page: Page, { fields, secrets }: FormCase): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const field = fieldOf(page, label);
    await field.waitFor({ state: 'attached' });
    if (!secrets.includes(label)) {
      const [said, ours] = [await field.evaluate(saidBy), text].map(spaceless);
      t.equal(said, ours, label);
      continue;
    }
    t.equal(await field.inputValue(), '', `${label} is not shown`);
    t.equal(await field.getAttribute('placeholder'), 'Stored. Type to replace');
    t.notOk((await page.content()).includes(text), `${label} is nowhere in the page`);
  }
}

interface Control {
  readonly value: string;
  readonly selectedOptions?: ArrayLike<{ readonly text: string }>;
}

/** Text of a field, or of what is chosen. */
function saidBy({ value, selectedOptions }: Control): string {
  return selectedOptions?.[0]?.text.replace(' (default)', '') ?? value;
}

/** JSON is shown in a form of its own. */
function spaceless(text: unknown): string {
  return String(text).replaceAll(/\s/g, '');
}

async function browse(page: Page, { shown }: FormCase): Promise<void> {
  if (shown === null) {
    await page.getByRole('link', { name: 'Browse' }).waitFor({ state: 'detached' });
    return;
  }
  await page.getByRole('link', { name: 'Browse' }).click();
  // The only resource is opened by itself.
  const resource = page.getByRole('link', { name: new RegExp(`^${RegExp.escape(shown.resource)} `) });
  await resource.click();
  await page.getByRole('cell', { name: shown.cell, exact: true }).first().waitFor();
}
