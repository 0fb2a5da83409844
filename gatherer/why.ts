import type { Oid } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import type { Enumerator, ScopeVerdict } from './enumerator.ts';
import type { FetchRow } from './fetch-row.ts';

/** Why a URL is or is not in the production store. */
export interface WhyReport {
  /** The URL under which the document is read. */
  readonly url: string;
  readonly included: boolean;
  /** The rule that decided, in words. */
  readonly rule: string;
  /** Times in seconds since 1970. */
  readonly object: { readonly oid: Oid; readonly updatedAt: number; readonly expiresAt: number } | null;
  /** When its summary was deleted or expired, in seconds since 1970; null when it is there, never was, or the store has forgotten. */
  readonly deletedAt: number | null;
  /** Whether a run has come across it. */
  readonly met: boolean;
  /** The URL under which the same bytes are summarised. */
  readonly sameAs: string | null;
  /** The limit that left it out. */
  readonly skipped: string | null;
  /** Where its summary is published, when that is elsewhere. */
  readonly publishedAs?: string;
  /** The document that it lies in, which is what the rule decided about. */
  readonly within?: string;
  /** How many documents inside it have summaries of their own. */
  readonly parts?: number;
  /** What the last look left out of it or of the document that it lies in, itself perhaps: how many by which rule. */
  readonly left?: Readonly<Record<string, number>>;
}

/** A document that is asked about, as the fetch store has it. */
export interface AskedDocument {
  readonly url: string;
  /** Where its summary is, or would be. */
  readonly as: string;
  readonly row: FetchRow | undefined;
  /** The document that it lies in. */
  readonly outer?: { readonly url: string; readonly row: FetchRow | undefined };
}

/** When an object was deleted, in seconds since 1970, while its tombstone is kept. Reads the log. */
async function deletionOf(store: ObjectStore, oid: Oid): Promise<number | null> {
  await using snapshot = await store.snapshot();
  for await (const step of snapshot.log(0))
    for (const { row } of step) if (row.kind === 'delete' && row.oid === oid) return row.atMs / 1000;
  return null;
}

/** What the roots say of a URL: who takes it in decides, else who covers it, else any. */
export async function verdictOf(
  enumerators: readonly Enumerator[],
  url: string,
  signal?: AbortSignal,
): Promise<ScopeVerdict> {
  const verdicts = await Promise.all(enumerators.map((enumerator) => enumerator.decide(url, signal)));
  const covering = enumerators.findIndex((enumerator) => enumerator.covers?.(url) === true);
  return (
    verdicts.find(({ included }) => included) ??
    verdicts[covering] ??
    verdicts[0] ?? {
      url,
      included: false,
      rule: 'there is no root; name the garner.yaml that has them with --config',
    }
  );
}

/** Put together what the roots, the fetch store and the object store know of a document. */
export async function whyReport(
  { included, rule }: ScopeVerdict,
  { url, as, row, outer }: AskedDocument,
  oid: Oid,
  store: ObjectStore,
): Promise<WhyReport> {
  const stored = await store.describe(oid);
  const left = (row ?? outer?.row)?.findings?.left;
  return {
    url,
    included,
    rule,
    object:
      stored === undefined
        ? null
        : { oid: stored.oid, updatedAt: stored.updatedAt, expiresAt: stored.expiresAtMs / 1000 },
    deletedAt: stored === undefined ? await deletionOf(store, oid) : null,
    met: row !== undefined,
    sameAs: row?.canonicalUrl ?? null,
    skipped: row?.skipped ?? null,
    ...(as !== url && { publishedAs: as }),
    ...(outer !== undefined && { within: outer.url }),
    ...(row?.parts !== undefined && { parts: row.parts }),
    ...(left !== undefined && { left }),
  };
}
