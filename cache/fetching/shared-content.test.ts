import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ClientAbort } from '../requests/client-abort.ts';
import type { EntryWriter } from '../storage/model/entry.ts';
import { type ContentEnd, SharedContent } from './shared-content.ts';

const bytes = Buffer.from('all of it');

function writerThat(keeps: boolean | Promise<boolean>) {
  const written: Uint8Array[] = [];
  const writer: EntryWriter = {
    get written() {
      return Buffer.concat(written).length;
    },
    append: (chunk) => {
      written.push(chunk);
      return keeps;
    },
    readBack: async () => new Uint8Array(),
    commit: async () => undefined,
    abort: () => undefined,
  };
  return { writer, written };
}

async function textOf(content: SharedContent): Promise<string> {
  let text = '';
  for await (const piece of content.reader(new ClientAbort())) text += Buffer.from(piece).toString();
  return text;
}

test('a content that came whole is given at once, to those who join too, and stored like any other', async () => {
  for (const keeps of [true, false, Promise.resolve(true), Promise.resolve(false)]) {
    for (const source of [bytes, Readable.from([bytes], { objectMode: false })]) {
      const { writer, written } = writerThat(keeps);
      const reported: Promise<ContentEnd>[] = [];
      const content: SharedContent = new SharedContent(source, {
        ...{ writer, length: bytes.length, goOnAlone: () => true },
        onWhole: (ended) => reported.push(ended),
      });
      assert.equal(content.whole, source === bytes ? bytes : undefined);
      assert.equal(await textOf(content), 'all of it');
      assert.deepEqual(await content.ended, { entry: undefined });
      assert.deepEqual(written, [bytes]);
      // A refusal of the store is not announced: no request waits for the write.
      assert.deepEqual(reported, (await keeps) ? [content.ended] : []);
    }
  }
});

test('a content that came whole ends when nobody waits for it, an empty one too, and is there for who comes later', async () => {
  for (const source of [bytes, Buffer.alloc(0)]) {
    const content = new SharedContent(source, {
      ...{ writer: undefined, length: source.length, goOnAlone: () => false },
    });
    content.release();
    assert.deepEqual(await content.ended, { entry: undefined });
    assert.equal(await textOf(content), source.toString());
  }
});
