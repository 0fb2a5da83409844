import { type FetchResponse, HttpClient } from '../../fetch/index.ts';
import type { Site } from './corpus.ts';

/** The validators of a page, for a conditional request. */
export type Validators = Map<string, { readonly etag?: string; readonly lastModified?: number }>;

const connections = 8;

/** A crawler's client: at most eight persistent connections, no delay. */
export function crawlerClient(url: string): HttpClient {
  return new HttpClient({
    userAgent: 'Garner/bench',
    allowHosts: [url],
    loopback: { delayMs: 0, perHost: connections },
    retries: 0,
  });
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

async function drain(response: FetchResponse): Promise<number> {
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return bytes;
}

/** Read every page once and store its validators. Throws unless every answer has the body. */
export async function crawl(client: HttpClient, base: string, site: Site): Promise<Validators> {
  const validators: Validators = new Map();
  let bytes = 0;
  await inParallel(site.pages, async (page) => {
    const response = await client.fetch({ url: base + encodeURI(page) });
    // Added only after reading: other workers add at the same time.
    const read = await drain(response);
    bytes += read;
    const { status, etag, lastModified } = response;
    if (status !== 200) throw new Error(`${page} was answered with ${status}`);
    validators.set(page, {
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { lastModified }),
    });
  });
  if (bytes !== site.bytes) throw new Error(`a crawl read ${bytes} bytes of ${site.bytes}`);
  return validators;
}

/** Send a conditional request for every page. Throws when a page has changed. */
export async function recrawl(client: HttpClient, base: string, validators: Validators): Promise<void> {
  await inParallel([...validators], async ([page, known]) => {
    await using response = await client.fetch({ url: base + encodeURI(page), ...known });
    if (!response.notModified) throw new Error(`${page} was answered with ${response.status}`);
  });
}

/** Read one more document of a site, for its validators. */
export async function validatorsOf(client: HttpClient, base: string, path: string): Promise<Validators> {
  const response = await client.fetch({ url: base + path });
  await drain(response);
  const { etag, lastModified } = response;
  if (etag === undefined || lastModified === undefined) throw new Error(`${path} has no validators`);
  return new Map([[path, { etag, lastModified }]]);
}
