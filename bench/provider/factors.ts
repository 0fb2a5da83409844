import { type Factor, type Retrieval, type Stream, siteFiles } from './figures.ts';

/** One cost in seconds: of an object by each retrieval, and of a whole stream with its number of objects. */
export interface Costs {
  readonly object: Readonly<Partial<Record<Retrieval, number>>>;
  readonly stream: Readonly<Record<Stream, number>>;
  /** A whole stream of a site with `siteFiles` files. */
  readonly siteStream: Readonly<Record<Stream, number>>;
}

/**
 * The paper's factors (section 3.1). FTP is the cheaper of its two set-ups with a new connection for each file. A site is the retrieval of each of its files against its stream as measured. Factors of costs without a measurement are left out.
 */
export function factorsOf({ object, stream, siteStream }: Costs): Partial<Record<Factor, number>> {
  const made = [object.ftpNew, object.ftpBare].filter((cost) => cost !== undefined);
  const ftp = made.length === 0 ? undefined : Math.min(...made);
  const ratio = (dear: number | undefined, cheap: number | undefined) =>
    dear === undefined || cheap === undefined || cheap === 0 ? undefined : dear / cheap;
  const site = (one: number | undefined) => (one === undefined ? undefined : one * siteFiles);
  const all: Record<Factor, number | undefined> = {
    localFtp: ratio(ftp, object.local),
    keptFtp: ratio(ftp, object.ftpKept),
    streamOne: ratio(ftp, stream.wire),
    streamOneGzip: ratio(ftp, stream.gzip),
    siteWire: ratio(site(ftp), siteStream.wire),
    siteGzip: ratio(site(ftp), siteStream.gzip),
    siteRound: ratio(site(ftp), siteStream.round),
    siteHttpWire: ratio(site(object.httpKept), siteStream.wire),
    siteHttpGzip: ratio(site(object.httpKept), siteStream.gzip),
    siteHttpRound: ratio(site(object.httpKept), siteStream.round),
  };
  const measured = Object.entries(all).filter(([, factor]) => factor !== undefined);
  return Object.fromEntries(measured) as Partial<Record<Factor, number>>;
}
