import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../kernel/index.ts';
import { decodeObject, encodeObject } from './binary-form.ts';
import { soifErrors } from './errors.ts';
import { type SummaryObject, summaryObject } from './summary-object.ts';
import type { SoifSection } from './syntax.ts';
import { parseSoif, SoifParser } from './text-parser.ts';
import { printObject, printStream } from './text-printer.ts';

// Names that look like numbers of syntax, nested names and all others that the printer accepts.
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_.:<>-]{1,40}$/),
  fc.stringMatching(/^(Embed<[0-9]{1,3}>-){1,4}[A-Z][a-z]{1,8}(-[0-9])?$/),
  fc.constantFrom('Title', 'title', 'Author-1', '__proto__', 'constructor', '0'),
);
const value = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => new TextEncoder().encode(text)),
  fc
    .constantFrom('', '\0', '}', '\n}\n', '@FILE { http://evil/\n}', 'A{3}:\tabc', '\r\n', '\t', '@UPDATE {')
    .map((text) => new TextEncoder().encode(text)),
);
const url = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constant('-'),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .filter((text) => !/[\s\p{Cc}\p{Cs}]/u.test(text) && !text.startsWith('}') && !/\{\d+\}:$/.test(text)),
);
const templateType = fc.oneof(
  fc.constant('FILE'),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/).filter((type) => !/^(DELETE|REFRESH|UPDATE)$/.test(type)),
);
const object: fc.Arbitrary<SummaryObject> = fc
  .tuple(templateType, url, fc.array(fc.tuple(name, value), { maxLength: 8 }))
  .map(([type, address, attributes]) => summaryObject(address, attributes, type));

function parseIn(chunks: Iterable<Uint8Array>): [SoifSection | undefined, SummaryObject][] {
  const parser = new SoifParser();
  const items = [];
  for (const chunk of chunks) items.push(...parser.push(chunk));
  items.push(...parser.end());
  return items.map((item) => [item.section, item.object]);
}

test('parse(print(x)) = x, wherever the text is cut in two', () => {
  fc.assert(
    fc.property(object, (x) => {
      const text = printObject(x);
      for (let cut = 0; cut <= text.length; cut++)
        assert.deepEqual(parseIn([text.subarray(0, cut), text.subarray(cut)]), [[undefined, x]]);
      assert.deepEqual(parseIn(Array.from(text, (byte) => Uint8Array.of(byte))), [[undefined, x]]);
    }),
    { numRuns: 200 },
  );
});

test('a printed stream parses back section by section', async () => {
  const objects = fc.array(object, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(objects, objects, objects, fc.integer({ min: 1, max: 70 }), async (d, r, u, size) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of printStream({ deletes: d, refreshes: r, updates: u })) chunks.push(chunk);
      const text = Buffer.concat(chunks);
      const cut = (function* () {
        for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
      })();
      const found: [SoifSection | undefined, SummaryObject][] = [];
      for await (const item of parseSoif(cut)) found.push([item.section, item.object]);
      assert.deepEqual(found, [
        ...d.map((x) => ['delete', x]),
        ...r.map((x) => ['refresh', x]),
        ...u.map((x) => ['update', x]),
      ]);
    }),
  );
});

test('decode(encode(x)) = x, and the binary form is printed to the same text', () => {
  fc.assert(
    fc.property(object, (x) => {
      const decoded = decodeObject(encodeObject(x));
      assert.deepEqual(decoded, x);
      assert.deepEqual(printObject(decoded), printObject(x));
    }),
    { numRuns: 1000 },
  );
});

test('every object that the printer accepts parses back; it refuses others with a typed error', () => {
  const any = fc.string({ unit: 'binary', maxLength: 12 });
  const wild = fc.oneof(
    any,
    fc.constantFrom('', 'UPDATE', 'a{1}:', '}', '@', '\ud800', 'x y', 'é', '\u2028', '\ufeff'),
  );
  let printed = 0;
  fc.assert(
    fc.property(
      fc.oneof(wild, templateType),
      fc.oneof(wild, url),
      fc.oneof(wild, name),
      value,
      (type, at, key, v) => {
        const x = summaryObject(at, [[key, v]], type);
        let text: Uint8Array;
        try {
          text = printObject(x);
        } catch (error) {
          assert.ok(isGarnerError(error, soifErrors.SOIF_UNPRINTABLE), String(error));
          assert.throws(() => encodeObject(x), { code: 'SOIF_UNPRINTABLE' });
          return;
        }
        printed++;
        assert.deepEqual(parseIn([text]), [[undefined, x]]);
        assert.deepEqual(decodeObject(encodeObject(x)), x);
      },
    ),
    { numRuns: 2000 },
  );
  assert.ok(printed > 50, `only ${printed} were printable`);
});
