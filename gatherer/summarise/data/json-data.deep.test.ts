import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { type JsonScalar, scanJson } from '../../../readers/json/index.ts';
import { assertHolds, assertLinear, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseJsonData } from './json-data.ts';

const read = (value: unknown, name = 'x.json') => summarised(summariseJsonData, JSON.stringify(value), name);

test('shape with types and counts', async () => {
  assertHolds(
    await read({
      title: 'Bees',
      hives: [
        { id: 1, queen: 'Ann' },
        { id: 2, queen: null, old: true },
      ],
    }),
    {
      Title: 'Bees',
      Format: 'JSON',
      Keys: 'title\nhives',
      Schema:
        'title: string\nhives: array\nhives[]: object, 2\nhives[].id: number, 2\nhives[].queen: string|null, 2\nhives[].old: boolean',
      'Full-Text': 'Bees\nAnn',
    },
  );
});

test('well-known kinds are recognised', async () => {
  assertHolds(
    await read({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] }, properties: { name: 'Hive' } },
      ],
    }),
    { Format: 'GeoJSON', Records: '1', 'Content-Types': 'Point' },
  );
  assertHolds(
    await read({
      '@context': 'https://schema.org',
      '@type': 'Book',
      name: 'On bees',
      author: { name: 'Ann' },
    }),
    {
      Title: 'On bees',
      Format: 'JSON-LD',
      'Content-Types': 'Book',
      Author: 'Ann',
    },
  );
  assertHolds(
    await read({
      openapi: '3.0.0',
      info: { title: 'Hive API', version: '1', description: 'Counts bees' },
      paths: {},
    }),
    {
      Title: 'Hive API',
      Format: 'OpenAPI',
      Description: 'Counts bees',
      Version: '1',
    },
  );
  const lines = '{"title":"Charter 1","description":"a"}\n{"title":"Charter 2"}\n';
  const many = await summarised(summariseJsonData, lines, 'x.jsonl');
  assert.deepEqual([many.get('Title'), many.get('Description')], [undefined, undefined]);
  assertHolds(await summarised(summariseJsonData, '{"a":1}\n{"a":2}\n', 'x.jsonl'), {
    Format: 'JSON lines',
    Records: '2',
    Schema: 'a: number, 2',
  });
});

test('a real package', async () => {
  const folder = dirname(fileURLToPath(import.meta.resolve('htmlparser2')));
  const bytes = readFileSync(join(folder, '..', 'package.json'));
  const { name, version, description } = JSON.parse(bytes.toString());
  const found = await summarised(summariseJsonData, bytes, 'package.json');
  assertHolds(found, {
    Title: `${name} ${version}`,
    Format: 'npm package',
    Description: description,
    License: 'MIT',
  });
  assert.match(found.get('Imports') ?? '', /^domhandler$/m);
});

test('truncated documents give the part before the end', async () => {
  assertHolds(await summarised(summariseJsonData, '{"name": "Hive", "bees": [1, 2, {"x"', 'x.json'), {
    Title: 'Hive',
    Notes: 'The document breaks off or is not JSON to its end.',
  });
  assertHolds(
    await summarised(summariseJsonData, '\ufeff// a comment\n{"name": "\\ud800 \\u00e9"}', 'x.json'),
    { Title: '\ufffd é' },
  );
  await assert.rejects(summarised(summariseJsonData, 'no json', 'x.json'), SyntaxError);
});

/** Builds the value of the events. */
class Builder {
  readonly top: unknown[] = [];
  readonly #open: unknown[] = [];

  object(key: string | undefined): void {
    this.#enter(key, {});
  }

  array(key: string | undefined): void {
    this.#enter(key, []);
  }

  end(): void {
    this.#open.pop();
  }

  value(key: string | undefined, type: JsonScalar, text: string): void {
    this.#put(key, type === 'string' ? text : JSON.parse(text));
  }

  #enter(key: string | undefined, value: unknown): void {
    this.#put(key, value);
    this.#open.push(value);
  }

  #put(key: string | undefined, value: unknown): void {
    const around = this.#open.at(-1);
    if (around === undefined) this.top.push(value);
    else if (Array.isArray(around)) around.push(value);
    else
      Object.defineProperty(around, key ?? '', {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
}

test('the events are those of the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      const builder = new Builder();
      const text = JSON.stringify(value, undefined, indent);
      assert.ok(scanJson(text, builder));
      assert.deepEqual(JSON.parse(JSON.stringify(builder.top[0])), JSON.parse(text));
    }),
  );
});

test('no document is too strange or too slow', async () => {
  const sample = JSON.stringify({ a: [1, 'two', { three: null }], b: '\u00e9' });
  await assertSurvives(summariseJsonData, [Buffer.from(sample)], 'x.json');
  await assertLinear(summariseJsonData, ['[', '{"a":', '{"a":1}', '"\\u0041",', '1,', '/*', '//'], 'x.json');
});
