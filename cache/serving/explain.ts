import { select } from '../answers/index.ts';
import type { CacheParts } from '../fetching/index.ts';
import {
  type RecentDecisions,
  type Remembered,
  type ReportedTrouble,
  reportedTrouble,
} from '../reporting/index.ts';
import {
  currentAgeSeconds,
  Fields,
  type Freshness,
  freshnessOf,
  isSecureKey,
  keyTwins,
  type RawFields,
  type Reuse,
  type RuleName,
  reuse,
  ruleAdvice,
  ruleSentence,
  urlOfKey,
  withoutReload,
} from '../rules/index.ts';
import type { Entry } from '../storage/index.ts';
import type { NotedPurge, Purges } from './purges.ts';

/** A rule as a person reads it. */
export interface ExplainedRule {
  readonly name: RuleName;
  readonly section: string;
  readonly sentence: string;
  /** What would change what it decided: a setting, or what the server says; null where nothing is to be changed. */
  readonly advice: string | null;
}

/** What is known of one stored response. */
export interface ExplainedEntry {
  readonly status: number;
  /** Whether it is for clients over TLS, who are given what is kept apart for them. */
  readonly overTls: boolean;
  /** Milliseconds since 1970. */
  readonly storedAtMs: number;
  readonly ageSeconds: number;
  readonly lifetimeSeconds: number;
  readonly lifetimeFrom: Freshness['from'];
  readonly lifetimeRule: ExplainedRule;
  /** What it would be without the setting that bounds it; null where none does. */
  readonly lifetimeOtherwise: Pick<Freshness, 'lifetimeSeconds' | 'from'> | null;
  /** Outdated by a change (RFC 9111 4.4): to be validated whatever happens. */
  readonly invalidated: boolean;
  /** When it was softly purged, in milliseconds since 1970: stale since then. */
  readonly staleSinceMs: number | null;
  readonly contentBytes: number;
  readonly part: NonNullable<Entry['part']> | null;
  readonly tags: readonly string[];
  readonly selecting: RawFields;
  /** Whether it is the one that the request in question would get. */
  readonly chosen: boolean;
  readonly use: Reuse['kind'];
  readonly rule: ExplainedRule;
}

/** Why a request would be answered as it would, and was lately. */
export interface Explanation {
  readonly url: string;
  readonly entries: readonly ExplainedEntry[];
  /** Why nothing new is stored now, whatever the rules say; null when the disk takes it. */
  readonly trouble: ReportedTrouble | null;
  /** The latest purge that meant it, by its URL, a prefix or with all; null when none is remembered. */
  readonly purged: NotedPurge | null;
  readonly recent: readonly (Omit<Remembered, 'decision'> & {
    readonly overTls: boolean;
    readonly outcome: Remembered['decision']['outcome'];
    readonly rule: ExplainedRule;
    readonly storedBy: ExplainedRule | null;
    readonly detail: string | null;
    /** Where its content broke off, of how many bytes when that was said. */
    readonly brokenOff: { readonly bytes: number; readonly of: number | null } | null;
    readonly error: NonNullable<Remembered['decision']['error']> | null;
  })[];
}

const mostRecent = 8;

const told = (name: RuleName): ExplainedRule => ({
  ...{ name, ...ruleSentence(name) },
  advice: ruleAdvice(name) ?? null,
});

const broken = ({ brokenOff }: Remembered['decision']) =>
  brokenOff === undefined ? null : { bytes: brokenOff.bytes, of: brokenOff.of ?? null };

function otherwise({ otherwise: one }: Freshness): ExplainedEntry['lifetimeOtherwise'] {
  return one === undefined ? null : { lifetimeSeconds: one.lifetimeSeconds, from: one.from };
}

/** What is asked about. */
export interface ExplainedRequest {
  readonly url: string;
  readonly fields: RawFields;
  /** Asked of a server that this cache stands before; not so when absent. */
  readonly isAccelerated?: boolean;
}

/** Say which rules hold for a URL asked for with `fields`: what is stored, whether it would be used, what happened lately. */
export async function explain(
  { url, fields, isAccelerated = false }: ExplainedRequest,
  { store, policy, clock }: Pick<CacheParts, 'store' | 'policy' | 'clock'>,
  { decisions, purges }: { readonly decisions: RecentDecisions; readonly purges: Purges },
): Promise<Explanation> {
  const heard = isAccelerated && policy.clientReload === 'ignore' ? withoutReload(fields) : fields;
  const asked = new Fields(heard);
  const twins = keyTwins(url);
  const [own, other] = await Promise.all(twins.map((key) => select(store, key, asked)));
  // Where nobody came over TLS, who asks by https would get what the others get.
  const chosen = (own?.variants.length ? own : other)?.entry;
  const nowMs = clock.now();
  const entries = [...(own?.variants ?? []), ...(other?.variants ?? [])].map((entry): ExplainedEntry => {
    const freshness = freshnessOf(entry.head, policy);
    const judged = reuse({
      requestFields: asked,
      head: entry.head,
      invalidated: entry.invalidated,
      staleSinceMs: entry.staleSinceMs,
      nowMs,
      policy,
      fromCache: false,
    });
    return {
      status: entry.head.status,
      overTls: isSecureKey(entry.key),
      storedAtMs: entry.head.receivedAtMs,
      ageSeconds: currentAgeSeconds(entry.head, nowMs),
      lifetimeSeconds: freshness.lifetimeSeconds,
      lifetimeFrom: freshness.from,
      lifetimeRule: told(freshness.rule),
      lifetimeOtherwise: otherwise(freshness),
      invalidated: entry.invalidated,
      staleSinceMs: entry.staleSinceMs ?? null,
      contentBytes: entry.contentLength,
      part: entry.part ?? null,
      tags: entry.tags,
      selecting: entry.head.selecting,
      chosen: entry === chosen,
      use: judged.kind,
      rule: told(heard !== fields && judged.kind === 'fresh' ? 'reload-ignored' : judged.rule),
    };
  });
  const recent = twins
    .flatMap((key) => decisions.about(key, mostRecent))
    .sort((one, next) => next.atMs - one.atMs)
    .slice(0, mostRecent);
  return {
    url: urlOfKey(url),
    entries,
    trouble: reportedTrouble(store.statistics()),
    purged: purges.about(url) ?? null,
    recent: recent.map(({ decision, ...rest }) => ({
      ...rest,
      url: urlOfKey(rest.url),
      overTls: isSecureKey(rest.url),
      outcome: decision.outcome,
      rule: told(decision.rule),
      storedBy: decision.storedBy === undefined ? null : told(decision.storedBy),
      detail: decision.detail ?? null,
      brokenOff: broken(decision),
      error: decision.error ?? null,
    })),
  };
}
