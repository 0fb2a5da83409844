import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../kernel/index.ts';
import { beginnings, navigationalQueries } from './navigational-queries.ts';

const page = (title: string, headings: readonly string[] = [], names: readonly string[] = []) => ({
  ...{ title, headings, names },
});

test('navigational queries are titles, headings, names and commands that one page has', () => {
  const pages = [
    page('3.5. Window Functions', ['3.5.1. Frames of rows', 'See Also']),
    page('git-log(1)', ['SEE ALSO', 'Commit limiting']),
    page('CREATE TABLE', ['See also']),
    page('pg_dump'),
    page('json — JSON encoder and decoder — The Manual', [], ['json.dump', 'json.load']),
    ...Array.from({ length: 20 }, () => page('Index — The Manual')),
  ];
  const queries = navigationalQueries(pages, seededRandom(1));
  assert.deepEqual(
    new Set(queries.map(({ kind, text, page: at }) => `${kind} ${text} ${at}`)),
    new Set([
      ...['title window functions 0', 'title json encoder and decoder 4', 'heading frames of rows 0'],
      ...['heading commit limiting 1', 'name json.dump 4', 'name json.load 4'],
      ...['command git log 1', 'command create table 2', 'command pg_dump 3', 'command json 4'],
    ]),
  );
  assert.deepEqual(navigationalQueries(pages, seededRandom(1)), queries);
  assert.deepEqual(beginnings('an ox ate'), ['an o', 'an ox', 'an ox a', 'an ox at', 'an ox ate']);
});
