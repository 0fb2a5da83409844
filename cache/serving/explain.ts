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

export interface ExplainedRule {
  readonly name: RuleName;
  readonly section: string;
  readonly sentence: string;
  /** How to get another decision: a setting, or a field of the server; null where nothing is to be changed. */
  readonly advice: string | null;
}

/** The state of one stored response. */
export interface ExplainedEntry {
  readonly status: number;
  /** Whether it is stored separately for clients over TLS. */
  readonly overTls: boolean;
  /** Milliseconds since 1970. */
  readonly storedAtMs: number;
  readonly ageSeconds: number;
  readonly lifetimeSeconds: number;
  readonly lifetimeFrom: Freshness['from'];
  readonly lifetimeRule: ExplainedRule;
  /** The lifetime without the setting that bounds it; null where none does. */
  readonly lifetimeOtherwise: Pick<Freshness, 'lifetimeSeconds' | 'from'> | null;
  /** Invalidated by a change (RFC 9111 4.4): validated before any use. */
  readonly invalidated: boolean;
  /** Time of its soft purge, in milliseconds since 1970: stale since then. */
  readonly staleSinceMs: number | null;
  readonly contentBytes: number;
  readonly part: NonNullable<Entry['part']> | null;
  readonly tags: readonly string[];
  readonly selecting: RawFields;
  /** Whether the explained request would get it. */
  readonly chosen: boolean;
  readonly use: Reuse['kind'];
  readonly rule: ExplainedRule;
}

/** Why a request would be answered in a certain way, and how recent ones were. */
export interface Explanation {
  readonly url: string;
  readonly entries: readonly ExplainedEntry[];
  /** The disk fault for which no new response is stored, regardless of the rules; null when there is none. */
  readonly trouble: ReportedTrouble | null;
  /** The latest purge of this URL, by URL, prefix or all; null when none is remembered. */
  readonly purged: NotedPurge | null;
  readonly recent: readonly (Omit<Remembered, 'decision'> & {
    readonly overTls: boolean;
    readonly outcome: Remembered['decision']['outcome'];
    readonly rule: ExplainedRule;
    readonly storedBy: ExplainedRule | null;
    readonly detail: string | null;
    /** Where its content broke off: after `bytes` bytes, of `of` bytes when the length was known. */
    readonly brokenOff: { readonly bytes: number; readonly of: number | null } | null;
    readonly error: NonNullable<Remembered['decision']['error']> | null;
  })[];
}

const maxRecent = 8;

const ruleOf = (name: RuleName): ExplainedRule => ({
  ...{ name, ...ruleSentence(name) },
  advice: ruleAdvice(name) ?? null,
});

const broken = ({ brokenOff }: Remembered['decision']) =>
  brokenOff === undefined ? null : { bytes: brokenOff.bytes, of: brokenOff.of ?? null };

function otherwise({ otherwise: one }: Freshness): ExplainedEntry['lifetimeOtherwise'] {
  return one === undefined ? null : { lifetimeSeconds: one.lifetimeSeconds, from: one.from };
}

export interface ExplainedRequest {
  readonly url: string;
  readonly fields: RawFields;
  /** Sent to an accelerator; false when absent. */
  readonly isAccelerated?: boolean;
}

/** Explain which rules apply to a URL requested with `fields`: stored responses, their use, and recent requests. */
export async function explain(
  { url, fields, isAccelerated = false }: ExplainedRequest,
  { store, policy, clock }: Pick<CacheParts, 'store' | 'policy' | 'clock'>,
  { decisions, purges }: { readonly decisions: RecentDecisions; readonly purges: Purges },
): Promise<Explanation> {
  const obeyed = isAccelerated && policy.clientReload === 'ignore' ? withoutReload(fields) : fields;
  const requestFields = new Fields(obeyed);
  const twins = keyTwins(url);
  const [own, other] = await Promise.all(twins.map((key) => select(store, key, requestFields)));
  // Without a response for TLS clients, a request by https would get the response of the others.
  const chosen = (own?.variants.length ? own : other)?.entry;
  const nowMs = clock.now();
  const entries = [...(own?.variants ?? []), ...(other?.variants ?? [])].map((entry): ExplainedEntry => {
    const freshness = freshnessOf(entry.head, policy);
    const judged = reuse({
      requestFields,
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
      lifetimeRule: ruleOf(freshness.rule),
      lifetimeOtherwise: otherwise(freshness),
      invalidated: entry.invalidated,
      staleSinceMs: entry.staleSinceMs ?? null,
      contentBytes: entry.contentLength,
      part: entry.part ?? null,
      tags: entry.tags,
      selecting: entry.head.selecting,
      chosen: entry === chosen,
      use: judged.kind,
      rule: ruleOf(obeyed !== fields && judged.kind === 'fresh' ? 'reload-ignored' : judged.rule),
    };
  });
  const recent = twins
    .flatMap((key) => decisions.about(key, maxRecent))
    .sort((one, next) => next.atMs - one.atMs)
    .slice(0, maxRecent);
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
      rule: ruleOf(decision.rule),
      storedBy: decision.storedBy === undefined ? null : ruleOf(decision.storedBy),
      detail: decision.detail ?? null,
      brokenOff: broken(decision),
      error: decision.error ?? null,
    })),
  };
}
