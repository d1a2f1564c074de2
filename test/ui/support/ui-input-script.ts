import type { ActionPayload } from '../../../src/language/dashboard/widgets/inputs/action-widget.ts';
import type { FieldMappingPayload } from '../../../src/language/dashboard/widgets/inputs/field-mapping-widget.ts';
import type { FormPayload } from '../../../src/language/dashboard/widgets/inputs/form-widget.ts';
import {
  accounts,
  cities,
  customerColumns,
  customers,
  formFields,
  reloadFields,
  sourceFields,
  targetFields,
} from './ui-input-payloads.ts';
import { type Answer, refusal } from './ui-refusal.ts';

type Json = Readonly<Record<string, unknown>>;
/** A saved row; the text of its transform never leaves the server. */
type MappingRow = Omit<FieldMappingPayload['rows'][number], 'transform'>;

/** A request that the page has made, in order. */
export interface InputCall {
  readonly widget: string;
  readonly what: string;
  readonly body: Json;
  readonly pressKey: string | null;
}

const optionsPerPage = 20;

/** The server's side of the inputs dashboard: it keeps what is saved, and remembers what it was asked. */
export class InputScript {
  readonly calls: InputCall[] = [];
  /** How long a press takes; a test may change it. */
  pressMs = 50;
  /** Answers of options and rows wait this long. */
  delayMs = 0;
  /** While set, options are refused. */
  optionsFail = false;
  cooldownSeconds = 2;
  /** Of the customers: a cursor of another edition is refused. */
  edition = 1;
  private presses = 0;
  private version = 7;
  private cooldownUntil: string | null = null;
  private values: Json = {
    name: 'Northwind',
    contact: 'data@example.com',
    region: 'eu',
    city: 'Bonn',
    accounts: ['acc-2', 'acc-31'],
    batch: 500,
    live: false,
  };
  private rows: readonly MappingRow[] = [
    { source_field: 'name', target_field: 'full_name' },
    { source_field: 'email', target_field: 'email_address', has_transform: true },
    { source_field: 'city', target_field: 'town' },
  ];

  /** Saves as somebody else would. */
  saveByOther(change: { values?: Json; rows?: readonly MappingRow[] }): void {
    this.values = { ...this.values, ...change.values };
    this.rows = change.rows ?? this.rows;
    this.version += 1;
  }

  savedRows(): readonly MappingRow[] {
    return this.rows;
  }

  savedValues(): Json {
    return this.values;
  }

  data(id: string): { data?: unknown; error?: string } {
    const common = { version: this.version, readonly: false, reason: null };
    switch (id) {
      case 'settings': {
        const fields = formFields.map((field) =>
          field.key === 'every' ? { ...field, hidden: this.values['live'] !== true } : field,
        );
        const schema = { title: 'Settings', description: null, fields };
        return { data: { schema, values: this.values, ...common } satisfies FormPayload };
      }
      case 'limits':
        return {
          data: {
            schema: { title: null, description: null, fields: formFields.slice(0, 5) },
            values: { name: 'Free plan', site: 'https://example.com/plans', region: 'us' },
            version: 1,
            readonly: true,
            reason: 'Only your account manager changes these.',
          } satisfies FormPayload,
        };
      case 'fields': {
        const sides = { source: { search: 'server' }, target: { search: 'page' } } as const;
        const schema = { title: null, description: null, allow_transform: false, ...sides };
        const rows = this.rows.map((row) => ({ ...row, transform: null }));
        return { data: { schema, rows, ...common } satisfies FieldMappingPayload };
      }
      case 'customers':
        return { data: this.page({}).body };
      case 'presses':
        return { data: { value: this.presses } };
      case 'archive': {
        const reason = 'There is nothing to archive yet.';
        const idle = { enabled: false, last_run: null, cooldown_until: null, fields: [] };
        return { data: { reason, ...idle } satisfies ActionPayload };
      }
      case 'ping':
      case 'reload':
        return { data: this.action(id) };
      default:
        return { data: { value: this.calls.length } };
    }
  }

  private action(id: 'ping' | 'reload'): ActionPayload {
    const starts = id === 'reload';
    const at = new Date(Date.now() - 5 * 60_000).toISOString();
    return {
      enabled: true,
      reason: null,
      last_run: { at, outcome: starts ? 'started' : 'done', status: starts ? 'success' : null },
      cooldown_until: starts ? this.cooldownUntil : null,
      fields: starts ? reloadFields : [],
    };
  }

  answer(widget: string, what: string, body: Json, pressKey: string | null): Answer {
    this.calls.push({ widget, what, body, pressKey });
    if (what === 'options') return this.options(widget, body);
    if (what === 'submit') return this.submit(widget, body);
    if (what === 'action') return this.press(body);
    return this.page(body);
  }

  private options(widget: string, body: Json): Answer {
    if (this.optionsFail) {
      return refusal('CONNECTOR_ERROR', 'The options are not available right now');
    }
    const side = String(body['side']);
    const q = String(body['q'] ?? '').toLowerCase();
    const all = this.optionsOf(widget, side, (body['value'] ?? {}) as Json);
    const found = all.filter((option) => option.label.toLowerCase().includes(q));
    const from = Number(body['cursor'] ?? 0);
    const next = from + optionsPerPage;
    return {
      status: 200,
      body: { options: found.slice(from, next), next_cursor: next < found.length ? String(next) : null },
    };
  }

  private optionsOf(widget: string, side: string, value: Json) {
    const plain = (words: readonly string[]) => words.map((word) => ({ label: word, value: word }));
    if (widget === 'fields') return plain(side === 'source' ? sourceFields : targetFields);
    if (side === 'city') return plain(cities[String(value['region'])] ?? []);
    return side === 'accounts' ? accounts : plain(['daily', 'finance', 'internal', 'sales']);
  }

  private submit(widget: string, body: Json): Answer {
    const value = body['value'];
    const problems = widget === 'fields' ? this.mappingProblems(value) : this.formProblems(value as Json);
    const hidden = widget === 'settings' && (value as Json)['live'] !== true ? ['every'] : [];
    if (body['dry_run'] === true) {
      return { status: 200, body: { saved: false, problems, hidden, value, version: this.version } };
    }
    if (body['version'] !== undefined && body['version'] !== this.version) {
      return refusal('PRECONDITION_FAILED', 'Somebody has changed this meanwhile');
    }
    if (problems.length > 0) {
      return refusal('VALIDATION_ERROR', 'Not valid', problems);
    }
    if (widget === 'fields') this.rows = value as readonly MappingRow[];
    else this.values = value as Json;
    this.version += 1;
    return { status: 200, body: { saved: true, problems: [], hidden, value, version: this.version } };
  }

  private formProblems(value: Json): { path: string; message: string }[] {
    const problems: { path: string; message: string }[] = [];
    const add = (key: string, message: string) => problems.push({ path: `sync.${key}`, message });
    if (!value['name']) add('name', '"Name" is required');
    const contact = String(value['contact'] ?? '');
    if (contact !== '' && !/^\S+@\S+\.\S+$/.test(contact))
      add('contact', '"Contact" must be an email address');
    const batch = value['batch'];
    if (batch !== undefined && typeof batch !== 'number') add('batch', '"Rows at once" must be a number');
    const city = value['city'];
    if (city && !cities[String(value['region'])]?.includes(String(city))) {
      add('city', `"City" holds "${city}", which is not offered any more`);
    }
    if (value['live'] === true && !value['every']) add('every', '"Minutes between loads" is required');
    return problems;
  }

  private mappingProblems(value: unknown): { path: string; message: string }[] {
    return (value as readonly MappingRow[]).flatMap((row, at) =>
      (['source_field', 'target_field'] as const)
        .filter((key) => row[key] === '')
        .map((key) => ({
          path: `fields[${at}].${key}`,
          message: `The ${key.replace('_', ' ')} must not be empty`,
        })),
    );
  }

  private press(body: Json): Answer {
    const input = body['input'] as Json;
    if (input['reason'] === 'wrong') {
      const details = [{ path: 'input.reason', message: '"Reason" says nothing' }];
      return refusal('VALIDATION_ERROR', 'Not valid', details);
    }
    this.presses += 1;
    const started = 'mode' in input;
    if (started) this.cooldownUntil = new Date(Date.now() + this.cooldownSeconds * 1000).toISOString();
    const cooldown_until = started ? this.cooldownUntil : null;
    const message = started ? 'Loading has begun' : 'The connection works';
    return {
      status: 200,
      body: {
        outcome: started ? 'started' : 'done',
        message,
        job_run_id: null,
        result: null,
        cooldown_until,
      },
    };
  }

  private page(body: Json): Answer {
    const { limit = 25, cursor } = (body['page'] ?? {}) as { limit?: number; cursor?: string | null };
    const search = String(body['search'] ?? '').toLowerCase();
    const filters = (body['filters'] ?? {}) as Record<string, Record<string, string | number | boolean>>;
    const sort = String(body['sort'] ?? '');
    const key = sort.replace(/^-/, '') as keyof (typeof customers)[number];
    if (key === ('plan' as string)) {
      return refusal('VALIDATION_ERROR', 'The rows cannot be sorted by "plan"');
    }
    const found = customers.filter(
      (row) =>
        `${row.name} ${row.city}`.toLowerCase().includes(search) &&
        Object.entries(filters).every(([column, condition]) =>
          holds(row[column as keyof typeof row], condition),
        ),
    );
    if (sort !== '') found.sort((a, b) => (a[key] < b[key] ? -1 : 1) * (sort.startsWith('-') ? -1 : 1));
    const [edition = '', at = ''] = (cursor ?? `${this.edition}.0`).split('.');
    if (edition !== String(this.edition)) {
      const message = 'The file has changed since the previous page; start with the first page';
      const details = [{ path: 'cursor', message }];
      return refusal('VALIDATION_ERROR', message, details);
    }
    const from = Number(at);
    const next = from + limit;
    return {
      status: 200,
      body: {
        columns: customerColumns,
        rows: found.slice(from, next),
        next_cursor: next < found.length ? `${this.edition}.${next}` : null,
        total: found.length,
      },
    };
  }
}

function holds(
  value: string | number | boolean,
  condition: Record<string, string | number | boolean>,
): boolean {
  return Object.entries(condition).every(([operator, bound]) => {
    if (operator === 'contains') return String(value).toLowerCase().includes(String(bound).toLowerCase());
    if (operator === 'eq') return value === bound;
    if (operator === 'gte') return value >= bound;
    return operator === 'lte' ? value <= bound : value < bound;
  });
}
