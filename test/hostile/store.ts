// The attributes of a data folder's summaries, by the URL under which they are published.
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { parseSoif } from '../../soif/index.ts';

/** Attributes by name, of the summaries by URL. */
export type Summaries = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Read the prepared stream of a Gatherer's run in a data folder. Values are cut to `longest` characters. */
export async function summariesIn(data: string, longest = 4000): Promise<Summaries> {
  const folder = join(data, 'gatherer');
  const ready = readdirSync(folder).find((name) => /^soif-.*\.gz$/.test(name));
  if (ready === undefined) throw new Error(`no prepared stream in ${folder}`);
  const found = new Map<string, ReadonlyMap<string, string>>();
  const stream = createReadStream(join(folder, ready)).pipe(createGunzip());
  for await (const { object } of parseSoif(stream)) {
    const { url, attributes } = object;
    found.set(
      url,
      new Map(
        attributes.map(({ name, value }) => [name, Buffer.from(value.subarray(0, longest)).toString()]),
      ),
    );
  }
  return found;
}
