/** `record-source.ts ROWS …`: a source of the Airbyte protocol that prints so many records of eight fields as fast as it can, made once. */
import { once } from 'node:events';

const BLOCK = 1_000;
const [rows, command] = process.argv.slice(2);
const say = (message: object) => `${JSON.stringify(message)}\n`;

const recordOf = (id: number) =>
  say({
    type: 'RECORD',
    record: {
      stream: 'people',
      data: {
        id,
        name: `Person number ${id}`,
        email: `person.${id}@example.com`,
        age: id % 90,
        score: id / 7,
        active: id % 2 === 0,
        born: '1980-02-29',
        seen_at: '2026-01-31T12:00:00Z',
      },
      emitted_at: 1_769_860_800_000,
    },
  });

const fields = {
  id: 'integer',
  name: 'string',
  email: 'string',
  age: 'integer',
  score: 'number',
  active: 'boolean',
  born: 'string',
  seen_at: 'string',
};

if (command === 'discover') {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));
  const stream = { name: 'people', json_schema: { properties }, supported_sync_modes: ['full_refresh'] };
  process.stdout.write(say({ type: 'CATALOG', catalog: { streams: [stream] } }));
} else {
  const block = Buffer.from(Array.from({ length: BLOCK }, (_, id) => recordOf(id)).join(''));
  for (let sent = 0; sent < Number(rows); sent += BLOCK)
    if (!process.stdout.write(block)) await once(process.stdout, 'drain');
}
