import { createHash } from 'node:crypto';
import {
  Attributes,
  digestOf,
  encodeObject,
  type Oid,
  oidOf,
  type ServerId,
  type SummaryObject,
  summaryObject,
} from '../../soif/index.ts';
import type { ObjectStore, StoreOperation } from '../../store/index.ts';
import type { DocumentationPage } from './documentation.ts';

/** The Gatherer named as the source of the objects; the signatures are noise, since stored ones are not checked. */
export const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;

/** Far in the future: nothing expires while it is measured. */
const updatedAt = 4_000_000_000;
const ttlSeconds = 30 * 24 * 3600;

const batchObjects = 500;
const batchBytes = 4 * 1024 * 1024;

/** The summary of a page with the attributes that a Gatherer gives every document. */
export function summaryOf({ url, title, text }: DocumentationPage): SummaryObject {
  const md5 = createHash('md5').update(url).digest('hex');
  return summaryObject(url, [
    ...(title === '' ? [] : ([[Attributes.title, title]] as const)),
    [Attributes.type, 'HTML'],
    [Attributes.fileSize, Buffer.byteLength(text)],
    [Attributes.lastModificationTime, 1_696_678_500],
    [Attributes.md5, md5],
    [Attributes.timeToLive, ttlSeconds],
    [Attributes.refreshRate, 604_800],
    [Attributes.updateTime, updatedAt],
    [Attributes.gathererName, 'docs'],
    [Attributes.gathererHost, 'docs.example.org'],
    [Attributes.gathererVersion, '0.1.0'],
    ...(text === '' ? [] : ([[Attributes.fullText, text]] as const)),
  ]);
}

export const oidOfUrl = (url: string): Oid => oidOf(publisher, url);

/** The store operation that puts an object. */
export function putOf(summary: SummaryObject): StoreOperation & { readonly kind: 'put' } {
  const { url } = summary;
  const object = {
    ...{ oid: oidOfUrl(url), digest: digestOf(summary), body: encodeObject(summary), updatedAt, publisher },
    signature: createHash('sha512').update(url).digest(),
  };
  return { kind: 'put', object, url, ttlSeconds };
}

/** Put objects into a store in batches like those of a round; `onBatch` is awaited after each. */
export async function fillStore(
  store: ObjectStore,
  objects: AsyncIterable<SummaryObject> | Iterable<SummaryObject>,
  onBatch: (stored: number) => Promise<void> = async () => undefined,
): Promise<number> {
  let batch: StoreOperation[] = [];
  let [bytes, stored] = [0, 0];
  const write = async () => {
    if (batch.length === 0) return;
    await store.apply(batch);
    stored += batch.length;
    [batch, bytes] = [[], 0];
    await onBatch(stored);
  };
  for await (const object of objects) {
    const put = putOf(object);
    batch.push(put);
    bytes += put.object.body.length;
    if (batch.length >= batchObjects || bytes >= batchBytes) await write();
  }
  await write();
  return stored;
}
