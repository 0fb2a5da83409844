import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { HttpClient } from '../../fetch/index.ts';
import { isGarnerError, ManualClock } from '../../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';
import { readTables, tableFormat } from './table-document.ts';
import { askTable, cellNumber, type TableQuestion } from './table-question.ts';
import { TableReader } from './table-reader.ts';

const everyRow: TableQuestion = { where: [], descending: false, offset: 0, limit: 100 };
const csv = 'city,people,since\r\nBonn,"330,579",2024-01-01\nKöln,1084831,2023-05-02\n"Ulm, Donau",128928,\n';

test('delimited text: names from the first row, quotes, signs other than the comma, odd bytes', async () => {
  const [table] = await readTables(Buffer.from(csv), 'delimited');
  assert.deepEqual(table?.columns, ['city', 'people', 'since']);
  assert.deepEqual(table?.rows[2], ['Ulm, Donau', '128928', '']);
  const [latin] = await readTables(Buffer.from('a;b\nK\xf6ln;1\nBonn;2\n', 'latin1'), 'delimited');
  assert.deepEqual(latin?.rows, [
    ['Köln', '1'],
    ['Bonn', '2'],
  ]);
  await assert.rejects(readTables(Buffer.from('just prose\nand more'), 'delimited'), RangeError);
  const long = Array.from({ length: 50_002 }, (_, row) => `${row},${'x'.repeat(row === 5 ? 900 : 1)}`);
  const [bounded] = await readTables(Buffer.from(`a,b\n${long.join('\n')}`), 'delimited');
  assert.deepEqual(
    [bounded?.rows.length, bounded?.whole, bounded?.rows[5]?.[1]?.length],
    [50_000, false, 500],
  );
});

/** A leaf page of a table b-tree (SQLite file format, section 1.6) of 512 bytes. */
function leafPage(rows: readonly (readonly (string | number)[])[], head: number): Buffer {
  const page = Buffer.alloc(512);
  let end = 512;
  page[head] = 13;
  page.writeUInt16BE(rows.length, head + 3);
  for (const [index, values] of rows.entries()) {
    const texts = values.map((value) =>
      typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value),
    );
    const types = values.map((value, at) =>
      typeof value === 'number' ? 1 : 13 + 2 * (texts[at] as Buffer).length,
    );
    const header = types.flatMap((type) => (type < 128 ? [type] : [128 + (type >> 7), type & 127]));
    const record = Buffer.concat([Buffer.from([header.length + 1, ...header]), ...texts]);
    const cell = Buffer.concat([Buffer.from([record.length, index + 1]), record]);
    end -= cell.length;
    cell.copy(page, end);
    page.writeUInt16BE(end, head + 8 + 2 * index);
  }
  page.writeUInt16BE(end, head + 5);
  return page;
}

function database(rows: readonly (readonly (string | number)[])[]): Buffer {
  const schema = leafPage([['table', 'bees', 'bees', 2, 'create table bees(name text, weight int)']], 100);
  schema.write('SQLite format 3\0', 0, 'latin1');
  schema.writeUInt16BE(512, 16);
  schema.writeUInt32BE(1, 56);
  return Buffer.concat([schema, leafPage(rows, 0)]);
}

test('SQLite: tables with their columns and rows; damage is an error or less, never more', async () => {
  const bytes = database([
    ['Ann', 3],
    ['Zoë', 12],
  ]);
  assert.deepEqual(await readTables(bytes, 'sqlite'), [
    {
      name: 'bees',
      columns: ['name', 'weight'],
      rows: [
        ['Ann', '3'],
        ['Zoë', '12'],
      ],
      whole: true,
    },
  ]);
  await assert.rejects(readTables(Buffer.from('SQLite'), 'sqlite'), RangeError);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 1023 }), fc.nat({ max: 255 }), async (at, value) => {
      const broken = Buffer.from(bytes);
      broken[at] = value;
      await readTables(broken, 'sqlite').catch((error) =>
        assert.ok(error instanceof RangeError, String(error)),
      );
    }),
    { numRuns: 500 },
  );
});

test("the table format of an object follows from its Gatherer's type, else from its address", () => {
  const format = (url: string, ...attributes: (readonly [string, string])[]) =>
    tableFormat(summaryObject(url, attributes));
  assert.equal(format('http://x.org/a', ['Type', 'Data'], ['Format', 'CSV']), 'delimited');
  assert.equal(format('http://x.org/a', ['Type', 'Data'], ['Format', 'SQLite 3, utf-8']), 'sqlite');
  assert.equal(format('http://x.org/a.TSV?x'), 'delimited');
  assert.equal(format('http://x.org/a.db'), 'sqlite');
  for (const url of ['http://x.org/csv', 'http://x.org/a.html?b.csv', 'nonsense', '-'])
    assert.equal(format(url), undefined);
  assert.equal(format('http://x.org/a.db', ['Type', 'Image']), undefined);
});

test('rows are selected, sorted and cut as requested; numbers by value', async () => {
  const tables = await readTables(Buffer.from(csv), 'delimited');
  const cities = (own: Partial<TableQuestion>) =>
    askTable(tables, { ...everyRow, ...own }).rows.map(([city]) => city);
  assert.deepEqual(cities({ sort: 'people' }), ['Ulm, Donau', 'Bonn', 'Köln']);
  assert.deepEqual(cities({ sort: 'people', descending: true, limit: 1 }), ['Köln']);
  assert.deepEqual(cities({ where: ['people:> 200000'] }), ['Bonn', 'Köln']);
  assert.deepEqual(cities({ where: ['people:>= 128928', 'city:N'] }), ['Bonn', 'Köln', 'Ulm, Donau']);
  assert.deepEqual(cities({ where: ['city:= bonn'] }), ['Bonn']);
  assert.deepEqual(cities({ where: ['since:2023', 'unknown:x'] }), ['Köln']);
  const answer = askTable(tables, { ...everyRow, x: 'city', y: 'people', where: ['people:> 200,000'] });
  assert.deepEqual(answer.points, [
    { label: 'Bonn', value: 330_579 },
    { label: 'Köln', value: 1_084_831 },
  ]);
  assert.deepEqual([answer.total, answer.of], [2, 3]);
  assert.deepEqual(
    answer.columns.map(({ numeric }) => numeric),
    [false, true, false],
  );
  assert.deepEqual(['1e3', ' -.5 ', '12 %', '1,234.5', '', 'x', '1-2', 'Infinity'].map(cellNumber), [
    ...[1000, -0.5, 12, 1234.5, undefined, undefined, undefined, undefined],
  ]);
});

const cell = fc.oneof(
  fc.integer({ min: -50, max: 50 }).map(String),
  fc.constantFrom('', 'a', 'B', '5x', '1,000'),
);

test('pages of rows make up the whole, a sort loses nothing, a plot is bounded', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { maxLength: 700 }),
      fc.integer({ min: 1, max: 90 }),
      (rows, limit) => {
        const tables = [{ name: 't', columns: ['a', 'b'], rows, whole: true }];
        const question = { ...everyRow, sort: 'a', y: 'b', where: ['b:< 40'] };
        const whole = askTable(tables, { ...question, limit: 1_000 });
        const paged = [];
        for (let offset = 0; offset < whole.total; offset += limit)
          paged.push(...askTable(tables, { ...question, offset, limit }).rows);
        assert.deepEqual(paged, whole.rows);
        const key = (row: readonly string[]) => row.join('|');
        const selected = rows.filter(([, b]) => (cellNumber(b) ?? 99) < 40);
        assert.deepEqual(whole.rows.map(key).sort(), selected.map(key).sort());
        assert.ok(whole.points.length <= 500);
      },
    ),
  );
});

test('only objects of the store are read, through the guard, seldom and in bounds', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    if (request.url === '/gone.csv') response.statusCode = 404;
    response.end(request.url === '/large.csv' ? Buffer.alloc(17 * 1024 * 1024, 'a,b\n') : csv);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const publisher = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
  const store = {
    get: async (oid: Oid) => {
      const name = ['table.csv', 'gone.csv', 'large.csv', 'page.html'].find(
        (one) => oidOf(publisher, one) === oid,
      );
      if (name === undefined) return undefined;
      const object = summaryObject(`${base}${name}`, []);
      const digest = digestOf(object);
      return {
        oid,
        body: encodeObject(object),
        digest,
        updatedAt: 1,
        publisher,
        signature: new Uint8Array(64),
      };
    },
  };
  const clock = new ManualClock();
  const options = { userAgent: 'Garner/test', retries: 0 };
  await using http = new HttpClient({ ...options, allowHosts: [base] });
  await using guarded = new HttpClient(options);
  const code = (entry: (typeof brokerErrors)[keyof typeof brokerErrors]) => (error: unknown) =>
    isGarnerError(error, entry);
  try {
    const reader = new TableReader({ store, fetch: http.fetch, clock });
    const ask = (name: string, from = reader) => from.ask(oidOf(publisher, name), everyRow);
    assert.equal((await ask('table.csv')).rows.length, 3);
    assert.equal((await ask('table.csv')).url, `${base}table.csv`);
    assert.equal(requests, 1, 'read once');
    clock.advance(6 * 60_000);
    await ask('table.csv');
    assert.equal(requests, 2, 'and again when the copy is old');
    await assert.rejects(ask('gone.csv'), code(brokerErrors.BROKER_TABLE_UNREAD));
    await assert.rejects(ask('large.csv'), code(brokerErrors.BROKER_TABLE_UNREAD));
    await assert.rejects(ask('page.html'), code(brokerErrors.BROKER_NO_TABLE));
    await assert.rejects(ask('other.csv'), code(brokerErrors.BROKER_NO_OBJECT));
    await assert.rejects(reader.ask('../etc', everyRow), code(brokerErrors.BROKER_NO_OBJECT));
    const before = requests;
    const careful = new TableReader({ store, fetch: guarded.fetch, clock });
    await assert.rejects(ask('table.csv', careful), code(brokerErrors.BROKER_TABLE_UNREAD));
    assert.equal(requests, before, 'a private host that is not allowed is not contacted');
    const busy = new TableReader({ store, fetch: http.fetch, clock });
    const many = await Promise.allSettled([
      ask('table.csv', busy),
      ask('gone.csv', busy),
      ask('large.csv', busy),
    ]);
    assert.ok(many[2]?.status === 'rejected' && isGarnerError(many[2].reason, brokerErrors.BROKER_BUSY));
  } finally {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  }
});

test('a sort reads each cell once, and numbers are read in linear time', () => {
  let reads = 0;
  const rows = Array.from({ length: 2_000 }, (_, at) =>
    Object.defineProperty([''], 0, {
      get: () => {
        reads++;
        return String((at * 7_919) % 2_000);
      },
    }),
  );
  const table = { name: 't', columns: ['n'], rows, whole: true };
  const { rows: sorted } = askTable([table], { ...everyRow, sort: 'n', descending: true, limit: 2 });
  assert.ok(reads <= rows.length + 500, `${reads} reads`);
  assert.deepEqual(
    sorted.map((row) => row[0]),
    ['1999', '1998'],
  );
  const spent = (cell: string) => {
    const before = process.cpuUsage();
    for (let again = 0; again < 20; again++) assert.equal(cellNumber(cell), undefined);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  for (const middle of [' ', ',', '1', '1,', '.']) {
    const cell = (length: number) => `1${middle.repeat(length)}x`;
    spent(cell(100));
    // Quadratic time would be four hundred times as much.
    assert.ok(spent(cell(200_000)) <= 100 * Math.max(2_000, spent(cell(10_000))), `1${middle}...x`);
  }
});

test('an SQLite file that claims more rows than it has gives its real rows, or is refused', async () => {
  const whole = database([
    ['bumble', 3],
    ['honey', 1],
  ]);
  const forged = async (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(whole);
    change(bytes);
    const tables = await readTables(bytes, 'sqlite').catch((error: unknown) => {
      assert.ok(error instanceof RangeError, String(error));
      return undefined;
    });
    return tables?.[0];
  };
  assert.equal((await forged(() => {}))?.rows.length, 2);
  for (const size of [0, 2, 256, 511, 513, 65_535, 32_768])
    assert.equal(await forged((bytes) => bytes.writeUInt16BE(size, 16)), undefined, `pages of ${size}`);
  // Leaf, interior, and the two kinds of index pages, with more cells than a page has room for.
  for (const kind of [13, 5, 10, 2]) {
    const claimed = await forged((bytes) => {
      bytes[512] = kind;
      bytes.writeUInt16BE(65_535, 512 + 3);
    });
    assert.deepEqual([claimed?.rows.length ?? 0, claimed?.whole ?? false], [0, false], `kind ${kind}`);
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
      async (bytes) => {
        const table = await forged((changed) => {
          for (const [at, byte] of bytes) changed[at] = byte;
        });
        assert.ok((table?.rows.length ?? 0) <= 300);
      },
    ),
    { numRuns: 300 },
  );
});
