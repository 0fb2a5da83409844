import { type Oid, oidFromBytes } from '../../../soif/index.ts';
import { docnoKey } from '../index-database/index-keys.ts';
import type { PostingRows } from '../index-database/posting-database.ts';
import { PostingCache } from '../postings/posting-cache.ts';

/** Bytes of the OID cache, enough for about 8,000 OIDs. */
const cacheBytes = 2 * 1024 * 1024;
const cachedOidBytes = 2 * 22;

/** The OIDs of docnos. A docno belongs to one object for ever, so a cached OID is valid at every moment. */
export class DocOids {
  readonly #known = new PostingCache<Oid>(cacheBytes, () => cachedOidBytes);

  /** In the order of the docnos; undefined for a deleted one that is not cached. */
  async of(rows: PostingRows, docnos: readonly number[]): Promise<(Oid | undefined)[]> {
    const oids = docnos.map((docno) => this.#known.get(String(docno)));
    const unknown = docnos.filter((_, at) => oids[at] === undefined);
    if (unknown.length === 0) return oids;
    const values = (await rows.getMany(unknown.map(docnoKey))).values();
    return docnos.map((docno, at) => {
      const known = oids[at];
      if (known !== undefined) return known;
      const value = values.next().value;
      if (value === undefined) return undefined;
      const oid = oidFromBytes(value);
      this.#known.set(String(docno), oid);
      return oid;
    });
  }
}
