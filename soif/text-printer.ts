import { failure } from '../kernel/index.ts';
import { soifErrors } from './errors.ts';
import { defaultLimits } from './limits.ts';
import type { SummaryObject } from './summary-object.ts';
import { objectProblem } from './syntax.ts';

/**
 * An object as SOIF text (RFC 2655 section 3): `@TYPE { URL`, `Name{size}:<TAB>value` lines, `}`. The output
 * parses back to the same object; throws SOIF_UNPRINTABLE when type, URL, a name or a size would not.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { printObject, summaryObject } from 'garner/soif';
 *
 * const object = summaryObject('https://harbour.example/', [['Title', 'Harbour'], ['File-Size', 1200]]);
 * assert.equal(
 *   Buffer.from(printObject(object)).toString(),
 *   '@FILE { https://harbour.example/\nTitle{7}:\tHarbour\nFile-Size{4}:\t1200\n}\n',
 * );
 */
export function printObject(object: SummaryObject): Uint8Array {
  const problem = objectProblem(object, defaultLimits);
  if (problem) throw failure(soifErrors.SOIF_UNPRINTABLE, { url: object.url, problem });
  const opening = `@${object.templateType} { ${object.url}\n`;
  const headers = object.attributes.map(({ name, value }) => `${name}{${value.length}}:\t`);
  let length = Buffer.byteLength(opening) + 2;
  for (const [at, { value }] of object.attributes.entries())
    length += (headers[at] as string).length + value.length + 1;

  const bytes = new Uint8Array(length);
  const target = Buffer.from(bytes.buffer);
  let end = target.write(opening);
  for (const [at, { value }] of object.attributes.entries()) {
    end += target.write(headers[at] as string, end, 'latin1');
    bytes.set(value, end);
    end += value.length;
    bytes[end++] = 10;
  }
  target.write('}\n', end, 'latin1');
  return bytes;
}

/** Objects for a stream's sections; those of `deletes` and `refreshes` may be without content. */
export interface StreamSections {
  readonly deletes?: Objects;
  readonly refreshes?: Objects;
  readonly updates?: Objects;
}

type Objects = AsyncIterable<SummaryObject> | Iterable<SummaryObject>;

const chunkBytes = 64 * 1024;

/**
 * A Gatherer's stream (Harvest): `@DELETE { ... } @REFRESH { ... } @UPDATE { ... }`, all three always
 * printed, so that a cut stream is always recognised. Objects are requested only as fast as chunks (about 64
 * KiB) are consumed. Throws SOIF_UNPRINTABLE as printObject does.
 */
export async function* printStream(sections: StreamSections): AsyncGenerator<Uint8Array, void, undefined> {
  let pending: Uint8Array[] = [];
  let size = 0;
  const add = (bytes: Uint8Array) => {
    pending.push(bytes);
    size += bytes.length;
  };
  const flush = () => {
    const chunk = pending.length === 1 ? (pending[0] as Uint8Array) : new Uint8Array(Buffer.concat(pending));
    pending = [];
    size = 0;
    return chunk;
  };
  for (const [type, objects] of [
    ['DELETE', sections.deletes],
    ['REFRESH', sections.refreshes],
    ['UPDATE', sections.updates],
  ] as const) {
    add(Buffer.from(`@${type} {\n`));
    for await (const object of objects ?? []) {
      add(printObject(object));
      if (size >= chunkBytes) yield flush();
    }
    add(Buffer.from('}\n'));
  }
  yield flush();
}
