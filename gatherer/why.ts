import type { Oid } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import type { ScopeVerdict } from './enumerator.ts';
import type { FetchRow } from './fetch-row.ts';

/** Why a URL is or is not in the production store. */
export interface WhyReport {
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
}

/** When an object was deleted, in seconds since 1970, while its tombstone is kept. Reads the log. */
async function deletionOf(store: ObjectStore, oid: Oid): Promise<number | null> {
  await using snapshot = await store.snapshot();
  for await (const step of snapshot.log(0))
    for (const { row } of step) if (row.kind === 'delete' && row.oid === oid) return row.atMs / 1000;
  return null;
}

/** Put together what the roots, the fetch store and the object store know of a URL. */
export async function whyReport(
  verdict: ScopeVerdict,
  oid: Oid,
  row: FetchRow | undefined,
  store: ObjectStore,
): Promise<WhyReport> {
  const stored = await store.describe(oid);
  const { url, included, rule } = verdict;
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
  };
}
