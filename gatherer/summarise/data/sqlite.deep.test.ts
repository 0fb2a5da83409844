import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sqlColumns } from '../../../readers/tables/index.ts';
import {
  assertHolds,
  assertSurvives,
  scratch,
  summarised,
  toolOutput,
  toolRan,
} from '../../testing/summarise-sample.ts';
import { summariseSqlite } from './sqlite.ts';

const statements = `
pragma page_size=1024; pragma encoding='ENCODING';
create table bees(id integer primary key, name text not null, weight real, note varchar(20) default 'x,y');
insert into bees(name,weight,note) values('Ann',1.5,'first'),('Zoë',-2.5,NULL);
create table "odd ""name"(a,b, primary key(a)) without rowid;
insert into "odd ""name" values(1,2),(3,4),(5,6);
create index by_name on bees(name);
create view heavy as select * from bees where weight > 1;
create trigger after_all after delete on bees begin select 1; end;
with recursive c(x) as (select 1 union all select x+1 from c where x<5000) insert into bees(name,weight) select 'bee'||x, x from c;
create table big(t text); insert into big values(printf('%.*c', 10000, 'z') || ' the end');
pragma user_version=7;`;

function made(t: TestContext, encoding: string): Buffer | undefined {
  const folder = scratch(t);
  if (!toolRan(t, folder, 'sqlite3', ['-version'], 'sqlite3')) return undefined;
  toolOutput('sqlite3', ['t.db'], folder, statements.replace('ENCODING', encoding));
  return readFileSync(join(folder, 't.db'));
}

test('schema, columns, rows counted over many pages, overflowing texts', async (t) => {
  for (const encoding of ['UTF-8', 'UTF-16le', 'UTF-16be']) {
    const bytes = made(t, encoding);
    if (bytes === undefined) return;
    const found = await summarised(summariseSqlite, bytes, 't.db');
    assertHolds(found, {
      Format: `SQLite 3, ${encoding.toLowerCase()}`,
      Tables: 'bees: 5002\nodd "name: 3\nbig: 1',
      Columns:
        'bees.id integer\nbees.name text\nbees.weight real\nbees.note varchar(20)\nodd "name.a\nodd "name.b\nbig.t text',
      Views: 'heavy',
      Indexes: 'by_name',
      Triggers: 'after_all',
      Rows: '5006',
      'Application-Id': '0, version 7',
    });
    assert.match(found.get('Full-Text') ?? '', /^1 Ann 1\.5 first\n2 Zoë -2\.5\n3 bee1 1 x,y\n/m);
    if (encoding === 'UTF-8') await assertSurvives(summariseSqlite, [bytes.subarray(0, 40_960)], 'x.db');
  }
});

test('a truncated database counts the existing rows and has a note', async (t) => {
  const bytes = made(t, 'UTF-8');
  if (bytes === undefined) return;
  const found = await summarised(summariseSqlite, bytes.subarray(0, 32 * 1024), 't.db');
  assert.match(found.get('Notes') ?? '', /could not be read/);
  assert.match(found.get('Tables') ?? '', /^bees: \d+$/m);
});

test('pages that lead to themselves end', async (t) => {
  const bytes = made(t, 'UTF-8');
  if (bytes === undefined) return;
  for (let page = 1; page * 1024 < bytes.length; page++)
    if (bytes[page * 1024] === 5) bytes.writeUInt32BE(page + 1, page * 1024 + 8);
  assert.match((await summarised(summariseSqlite, bytes, 't.db')).get('Notes') ?? '', /could not be read/);
  await assert.rejects(summarised(summariseSqlite, 'SQLite format 3\0', 't.db'), RangeError);
});

test('columns of definitions', () => {
  const columns = (sql: string) => sqlColumns(sql).map(({ name, type }) => `${name}:${type}`);
  assert.deepEqual(
    columns(
      "CREATE TABLE t(a, b INTEGER NOT NULL DEFAULT (1, 2), 'c' TEXT CHECK(c <> ','), [d e] decimal(10, 2), CONSTRAINT x UNIQUE(a))",
    ),
    ['a:', 'b:INTEGER', 'c:TEXT', 'd e:decimal(10, 2)'],
  );
  assert.deepEqual(columns('CREATE TABLE t (a -- note, with comma\n text /* b, */, `c` double precision'), [
    'a:text',
    'c:double precision',
  ]);
  assert.deepEqual(columns('CREATE TABLE t AS SELECT 1'), []);
});
