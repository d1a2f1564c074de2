import t from 'tap';
import { oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { PYTHON, scripted } from './script-scene.ts';

const rows = [1, 2, 3, 4, 5].map((n) => ({ n, text: `row ${n}` }));
const keys = { language: 'python', on_error: 'dead_letter' };
const skip = PYTHON === null && 'no Python: set SVC_SCRIPT_PYTHON';

t.test('Python: none, one or many items; arguments; values that JSON has not', { skip }, async (t) => {
  const code = `
import datetime, decimal
def transform(item, context):
    if item["n"] == 1:
        return None
    if item["n"] == 2:
        return [item, {**item, "n": 20}]
    return {**item, "n": item["n"] + context["args"]["add"], "index": context["index"], "big": 2**70,
            "bytes": b"\\x00\\xff", "day": datetime.date(2026, 1, 2), "price": decimal.Decimal("1.50")}
`;
  const { written, step, failure } = await scripted({ rows, code, keys: { ...keys, args: { add: 100 } } });
  t.equal(failure, null);
  t.match(step, { rows_in: 5, rows_out: 5, rows_filtered: 1 });
  t.same(
    written.map(({ n }) => n),
    [2, 20, 103, 104, 105],
  );
  t.same(written.at(-1), {
    n: 105,
    text: 'row 5',
    index: 4,
    big: 2n ** 70n,
    bytes: new Uint8Array([0, 255]),
    day: '2026-01-02',
    price: '1.50',
  });
});

t.test('Python: generators, coroutines, other names, and what is printed', { skip }, async (t) => {
  const forms = {
    generator: 'def transform(item):\n    if item["n"] > 3:\n        yield item',
    coroutine:
      'import asyncio\nasync def transform(item):\n    await asyncio.sleep(0)\n    return item if item["n"] > 3 else None',
    stream: 'async def transform(item):\n    if item["n"] > 3:\n        yield item',
  };
  for (const [form, code] of Object.entries(forms))
    t.same(
      (await scripted({ rows, code, keys })).written.map(({ n }) => n),
      [4, 5],
      form,
    );
  const named = await scripted({
    rows,
    code: 'def shape(item):\n    print("got", item["n"])\n    return item',
    keys: { ...keys, function: 'shape' },
  });
  t.equal(named.written.length, 5);
  t.ok(named.keeper.logs.some(({ message }) => message === 'got 5'));
});

t.test(
  'Python: items that fail are dead letters with the line; what cannot be written too',
  { skip },
  async (t) => {
    const code = `
def transform(item):
    if item["n"] == 2:
        raise ValueError("no two")
    if item["n"] == 4:
        return {"set": {1, 2}}
    if item["n"] == 5:
        return {"number": float("nan")}
    return item`;
    const { keeper, written, step } = await scripted({ rows, code, keys });
    t.match(step, { rows_in: 5, rows_out: 2, rows_failed: 3 });
    t.same(
      written.map(({ n }) => n),
      [1, 3],
    );
    t.match(
      keeper.letters.map(({ message }) => message),
      [
        'ValueError: no two (line 4 of the code)',
        /TypeError: A value of type set cannot be part of an item/,
        /ValueError/,
      ],
    );
  },
);

t.test(
  'Python: files, processes and the network are denied; exits and loops fail the step',
  { skip },
  async (t) => {
    const { someOf } = seeded(t);
    const denied = [
      'open("/etc/passwd").read()',
      'open("/tmp/headgate-script", "w")',
      '__import__("os").system("true")',
      '__import__("subprocess").run(["true"])',
      '__import__("os").fork()',
      '__import__("socket").create_connection(("127.0.0.1", 9))',
      '__import__("os").kill(1, 9)',
    ];
    for (const body of someOf(denied, oneIn(3, 1))) {
      const { keeper, step } = await scripted({
        rows: rows.slice(0, 1),
        code: `def transform(item):\n    ${body}\n    return item`,
        keys,
      });
      t.match(step, { rows_out: 0, rows_failed: 1 }, body);
      t.match(keeper.letters, [{ message: /PermissionError/ }], body);
    }
    const ends = [
      ['__import__("os")._exit(0)', /ended by itself \(exit code 0\)/],
      ['while True: pass', /longer than 1 s/],
      ['x = "x" * 4_000_000_000', /memory/],
    ] as const;
    for (const [body, message] of someOf(ends, oneIn(3, 1))) {
      const code = `def transform(item):\n    ${body}\n    return item`;
      const { failure } = await scripted({
        rows,
        code,
        keys: { ...keys, item_timeout: '1s' },
        access: { memoryMb: 96 },
      });
      t.match(failure, { code: 'SCRIPT_ERROR', message }, body);
    }
    const wrong = await scripted({ rows, code: 'def transform(item)\n    return item', keys });
    t.match(wrong.failure, { message: /cannot be loaded: SyntaxError: .* \(line 1 of the code\)/ });
  },
);
