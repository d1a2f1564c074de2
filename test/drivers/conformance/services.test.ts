import t from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { odataConfig } from '../business-app/connect-odata.ts';
import { guid, startOdata } from '../business-app/odata-peer.ts';
import { answer, startApi } from '../http/http-api.ts';
import { column } from '../sql/engines.ts';
import { startTruto, TRUTO_ACCOUNTS, TRUTO_TOKEN } from '../unified-api/truto-peer.ts';
import { familyConforms, type Peers } from './conforms.ts';

const retry = { base_ms: 1, max_attempts: 2 };

const PEERS: Peers<'services'> = {
  http: [
    {
      name: 'an API of pages',
      prepare: async (t) => {
        const people = new Map<string, Row>(
          [1, 2, 3, 4, 5].map((id) => [String(id), { id, name: `n${id}` }]),
        );
        const copies = new Map<string, Row>();
        const keys = new Set<string>();
        const api = await startApi(t, (query, { method, path, body, headers }, _index, response) => {
          if (headers.authorization !== 'Bearer t0ken') return answer(response, 401);
          const [, , name, id = ''] = path.split('?')[0]?.split('/') ?? [];
          const all = name === 'people' ? people : name === 'copies' ? copies : null;
          if (all === null) return answer(response, 404);
          if (method === 'GET') {
            const page = Number(query.get('page') ?? 1);
            return { data: [...all.values()].slice((page - 1) * 2, page * 2) };
          }
          const { 'idempotency-key': key } = headers;
          if (typeof key === 'string' && keys.has(key)) return {};
          if (typeof key === 'string') keys.add(key);
          if (method === 'DELETE') all.delete(id);
          else {
            const row = JSON.parse(body) as Row;
            if (row['id'] === 'no number') return answer(response, 422, '{"error":"id is no number"}');
            all.set(String(row['id']), row);
          }
          return {};
        });
        const resource = (path: string) => ({
          path,
          records: 'data',
          paginate: { type: 'page', size_param: 'size', size: 2 },
        });
        const write = {
          append: { idempotent: true },
          upsert: { method: 'PUT', path: '/copies/{id}' },
          delete: { method: 'DELETE', path: '/copies/{id}' },
        };
        const config = {
          base_url: `${api.base}/v1`,
          auth: { type: 'bearer' },
          token: 't0ken',
          retry,
          resources: { people: resource('/people'), copies: { ...resource('/copies'), write } },
        };
        const read = (name: string) => ({ method: 'list', args: { resource: name } });
        const wrong = [
          { config: { ...config, token: 'an0ther' }, fault: 'AUTH', says: /401/ },
          { config: { ...config, base_url: 'http://127.0.0.1:1' }, fault: 'UNAVAILABLE', says: /./ },
        ] as const;
        const target = {
          object: 'copies',
          read: read('copies'),
          empty: async () => copies.clear(),
          refused: { id: 'no number', name: 'x' },
        };
        return { sample: { config, read: read('people'), write: target, wrong } };
      },
    },
  ],
  unified_api: [
    {
      name: 'a platform as Truto',
      // A name that no unified API has is a path of the integration's own, which nothing describes.
      except: {
        introspection: /unknown resource is accepted/,
        pages: /says no resource/,
        cursor: /no column of numbers alone/,
      },
      prepare: async (t) => {
        const { base } = await startTruto(t);
        const integrated_account_id = TRUTO_ACCOUNTS[0]?.id ?? '';
        const config = {
          provider: 'truto',
          base_url: base,
          integrated_account_id,
          token: TRUTO_TOKEN,
          retry,
        };
        const read = { method: 'list', args: { integrated_account_id, resource: 'crm/contacts' } };
        const wrong = [
          { config: { ...config, token: 'an0ther-t0ken' }, fault: 'AUTH', says: /token|401/ },
          { config: { ...config, base_url: 'http://127.0.0.1:1' }, fault: 'UNAVAILABLE', says: /./ },
        ] as const;
        return { sample: { config, read, wrong } };
      },
    },
  ],
  business_app: [
    {
      name: 'an OData service',
      // Nothing in OData says whether a record was created before the answer was lost.
      except: { 'load append': /^After the same load was sent twice the target has 6 rows/ },
      prepare: async (t) => {
        const peer = await startOdata(t);
        const config = { ...odataConfig(peer.base) };
        const rows = [1, 2, 3].map((n) => ({ id: guid(100 + n), name: `Copy ${n}` })) as never;
        const write = {
          object: 'customers',
          read: { method: 'list', args: { entity: 'customers' } },
          rows,
          columns: [column('id', 'string'), column('name', 'string')],
          empty: async () => void peer.customers.splice(0),
          refused: { id: guid(200), name: 'taken' },
        };
        const wrong = [
          { config: { ...config, token: 'an0ther-t0ken' }, fault: 'AUTH', says: /401/ },
          { config: { ...config, base_url: 'http://127.0.0.1:1' }, fault: 'UNAVAILABLE', says: /./ },
        ] as const;
        return { sample: { config, read: { method: 'list', args: { entity: 'customers' } }, write, wrong } };
      },
    },
  ],
};

familyConforms(t, PEERS);
