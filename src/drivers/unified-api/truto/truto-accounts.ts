import { isRecord } from '../../../base/json.ts';
import { AbsentResourceError } from '../../driver.ts';
import type { OpenApi } from '../../http/open-api.ts';
import { valueAt } from '../../http/value-at.ts';
import type { AccountsPage, AccountsRequest, IntegratedAccount } from '../../integration.ts';
import { cursorText } from '../../page/page-cursor.ts';
import { askPlatform, decodeCursor } from '../platform-api.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Truto has no search of text: pages that one call looks through, and their length. */
const SCAN_PAGES_MAX = 10;
const SCAN_PAGE_ACCOUNTS = 100;

/** `exact`: accounts of the tenant itself. `scan`: all accounts, of which those that match are given. */
interface Cursor {
  readonly mode: 'list' | 'exact' | 'scan';
  /** Truto's own cursor; null: the first page. */
  readonly at: string | null;
  /** Accounts of that page that were given already. */
  readonly skip: number;
}

/** A page of accounts. A `q` that is an id is that account; else those of the tenant come first, then whatever else matches. */
export async function trutoAccounts(
  api: OpenApi,
  request: AccountsRequest,
  signal: AbortSignal,
): Promise<AccountsPage> {
  const { q, cursor } = request;
  if (q !== undefined && UUID.test(q)) return accountById(api, q, request, signal);
  const first: Cursor = { mode: q === undefined ? 'list' : 'exact', at: null, skip: 0 };
  const from = cursor === undefined ? first : decodeCursor(cursor, isCursor);
  return from.mode === 'scan' ? scan(api, request, from, signal) : listed(api, request, from, signal);
}

async function accountById(
  api: OpenApi,
  id: string,
  { integration }: AccountsRequest,
  signal: AbortSignal,
): Promise<AccountsPage> {
  try {
    const found = accountOf(await askPlatform(api, { path: `integrated-account/${id}` }, signal));
    const isWanted = integration === undefined || found.integration_name === integration;
    return { accounts: isWanted ? [found] : [], next_cursor: null };
  } catch (error) {
    if (error instanceof AbsentResourceError) return { accounts: [], next_cursor: null };
    throw error;
  }
}

async function listed(
  api: OpenApi,
  { limit, q, integration }: AccountsRequest,
  { mode, at }: Cursor,
  signal: AbortSignal,
): Promise<AccountsPage> {
  const { accounts, next } = await pageAt(api, { at, limit, tenant: q, integration }, signal);
  if (next !== null) return { accounts, next_cursor: cursorText({ mode, at: next, skip: 0 }) };
  return {
    accounts,
    next_cursor: mode === 'exact' ? cursorText({ mode: 'scan', at: null, skip: 0 }) : null,
  };
}

/** At most so many pages a call: a page of matches may be short, or empty, and the list go on all the same. */
async function scan(
  api: OpenApi,
  { limit, q = '', integration }: AccountsRequest,
  from: Cursor,
  signal: AbortSignal,
): Promise<AccountsPage> {
  const accounts: IntegratedAccount[] = [];
  let { at, skip } = from;
  for (let pages = 0; pages < SCAN_PAGES_MAX; pages++) {
    const page = await pageAt(api, { at, limit: SCAN_PAGE_ACCOUNTS, integration }, signal);
    for (const [place, account] of page.accounts.entries()) {
      if (place < skip || account.tenant_id === q) continue;
      if (!account.id.startsWith(q) && !account.tenant_id.includes(q)) continue;
      if (accounts.length === limit)
        return { accounts, next_cursor: cursorText({ mode: 'scan', at, skip: place }) };
      accounts.push(account);
    }
    if (page.next === null) return { accounts, next_cursor: null };
    at = page.next;
    skip = 0;
  }
  return { accounts, next_cursor: cursorText({ mode: 'scan', at, skip }) };
}

interface PageRequest {
  readonly at: string | null;
  readonly limit: number;
  readonly tenant?: string | undefined;
  readonly integration?: string | undefined;
}

async function pageAt(api: OpenApi, { at, limit, tenant, integration }: PageRequest, signal: AbortSignal) {
  const query = {
    limit,
    next_cursor: at,
    tenant_id: tenant ?? null,
    'integration.name': integration ?? null,
  };
  const answer = await askPlatform(api, { path: 'integrated-account', queries: [query] }, signal);
  const found = valueAt(answer, 'result') ?? valueAt(answer, 'results');
  const next = valueAt(answer, 'next_cursor');
  return {
    accounts: Array.isArray(found) ? found.map(accountOf) : [],
    next: typeof next === 'string' && next !== '' ? next : null,
  };
}

function accountOf(value: unknown): IntegratedAccount {
  const integration = valueAt(value, 'integration') ?? valueAt(value, 'environment_integration.integration');
  return {
    id: textAt(value, 'id') ?? '',
    label: textAt(value, 'label') ?? textAt(integration, 'label'),
    tenant_id: textAt(value, 'tenant_id') ?? '',
    integration_name: textAt(integration, 'name') ?? textAt(value, 'integration_name') ?? '',
    status: textAt(value, 'status'),
  };
}

function textAt(value: unknown, path: string): string | null {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : null;
}

function isCursor(value: unknown): value is Cursor {
  if (!isRecord(value)) return false;
  const { mode, at, skip } = value;
  const isPlace = (at === null || typeof at === 'string') && Number.isSafeInteger(skip) && Number(skip) >= 0;
  return isPlace && ['list', 'exact', 'scan'].includes(String(mode));
}
