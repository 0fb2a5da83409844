import { partUrl } from '../../readers/document/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { FetchRow } from '../publish/index.ts';
import { type LookupContext, lookUpDocument } from './url-lookup.ts';

/** Why a URL is or is not in the production store. */
export interface WhyReport {
  /** The URL under which the document is read. */
  readonly url: string;
  readonly included: boolean;
  /** The rule that decided, as text. */
  readonly rule: string;
  /** Times in seconds since 1970. */
  readonly object: { readonly oid: Oid; readonly updatedAt: number; readonly expiresAt: number } | null;
  /** Deletion or expiry time in seconds; null when the summary exists, never existed, or is forgotten. */
  readonly deletedAt: number | null;
  /** Whether a run has met it. */
  readonly met: boolean;
  /** Why the last run left it out or failed on it. */
  readonly reason?: string;
  /** The last run counted more URLs than it named; this one may be among them. */
  readonly unnamed?: true;
  /** The URL under which the same bytes are summarised. */
  readonly sameAs: string | null;
  /** The limit that left it out. */
  readonly skipped: string | null;
  /** The URL under which its summary is published, if it differs. */
  readonly publishedAs?: string;
  /** The document that contains it, to which the rule applies. */
  readonly within?: string;
  /** A run has read that document and made no summary of this part. */
  readonly looked?: true;
  /** Number of documents inside it with summaries of their own. */
  readonly parts?: number;
  /** Number of parts left out of it, or of the document that contains it, by rule. */
  readonly left?: Readonly<Record<string, number>>;
}

/** Time of an object's deletion, in seconds since 1970, while its tombstone exists. Reads the log. */
async function deletionOf(store: ObjectStore, oid: Oid): Promise<number | null> {
  await using snapshot = await store.snapshot();
  for await (const step of snapshot.log(0))
    for (const { row } of step) if (row.kind === 'delete' && row.oid === oid) return row.atMs / 1000;
  return null;
}

/** Everything that the roots, the fetch store, the last run and the object store know of a document. */
export async function whyReport(
  requested: string,
  known: LookupContext & { readonly store: ObjectStore; readonly oid: (url: string) => Oid },
  signal?: AbortSignal,
): Promise<WhyReport> {
  const { fetchStore, store, published = (own) => own } = known;
  const { verdict, part } = await lookUpDocument(requested, known, signal);
  const { included, rule } = verdict;
  const url = `${verdict.url}${part}`;
  const row = await fetchStore.recall(url);
  const outer = part === '' ? undefined : await fetchStore.recall(verdict.url);
  const as = row?.as ?? `${published(verdict.url)}${part}`;
  const oid = known.oid(as);
  const stored = await store.describe(oid);
  const { named, more } = await fetchStore.skipReasons();
  const reason = refusalOf(url, verdict.url, outer) ?? named.find(([at]) => at === url)?.[1];
  const left = (row ?? outer)?.findings?.left;
  const isMet = row !== undefined || reason !== undefined;
  return {
    url,
    included,
    rule,
    object:
      stored === undefined
        ? null
        : { oid: stored.oid, updatedAt: stored.updatedAt, expiresAt: stored.expiresAtMs / 1000 },
    deletedAt: stored === undefined ? await deletionOf(store, oid) : null,
    met: isMet,
    ...(reason !== undefined && { reason }),
    ...(!isMet && more && { unnamed: true }),
    sameAs: row?.canonicalUrl ?? null,
    skipped: row?.skipped ?? null,
    ...(as !== url && { publishedAs: as }),
    ...(part !== '' && { within: verdict.url }),
    ...(outer !== undefined && row === undefined && { looked: true }),
    ...(row?.parts !== undefined && { parts: row.parts }),
    ...(left !== undefined && { left }),
  };
}

/** The reason why a part could not be taken out of its document. */
function refusalOf(url: string, whole: string, outer: FetchRow | undefined): string | undefined {
  return outer?.findings?.refusals?.find(({ part }) => partUrl(whole, part) === url)?.reason;
}
