import { normalisedUrl, secureKey } from '../rules/index.ts';
import type { Scheme } from './forwarded-scheme.ts';

/** Which hosts an accelerator stands before, and where their objects really are. */
export interface AcceleratedHosts {
  /** `scheme://host:port`, perhaps with a path in front, for a Host field; undefined when it is not served. */
  originFor(host: string): string | undefined;
  /** The same for a host that was named, not one that would do for every other too. */
  namedOriginFor(host: string): string | undefined;
  /** What the origin may be told of a host that was asked for: the operator's own name of it, when what it answers is for no other. */
  forwardedHost(host: string): string | undefined;
  /** Whether origins are asked for the host that the client asked for, so that it is part of the key. */
  readonly passHost: boolean;
  /** All of them. */
  readonly origins: readonly string[];
}

/** What a key depends on beside the request's target. */
export interface KeyRules {
  readonly accelerator?: AcceleratedHosts | undefined;
  /** How the client came. */
  readonly scheme: Scheme;
  /** Whether the origin is told that. */
  readonly tells: boolean;
}

/**
 * What keys of accelerated requests for a host begin with: the origin's URL, or where hosts are handed on the host's own,
 * in which `http` stands for either scheme. Undefined when that is no URL.
 */
export function keyPrefix(
  origin: string,
  host: string,
  { accelerator, scheme }: Omit<KeyRules, 'tells'>,
): string | undefined {
  const isPassed = accelerator?.passHost === true && host !== '';
  const url = normalisedUrl(isPassed ? `${scheme}://${host}/` : `${origin}/`);
  const named = url !== undefined && isPassed ? normalisedUrl(url.replace(/^https/, 'http')) : url;
  return named?.slice(0, -1);
}

/** The key of a URL, marked where what clients over TLS get is kept apart. */
function markedFor(url: string, { tells, scheme }: KeyRules): string {
  return tells && scheme === 'https' ? secureKey(url) : url;
}

/**
 * What the response to an accelerated request is kept under; undefined when its target is none. `url` is where the origin
 * is asked for it, where that is known already.
 */
export function requestKey(
  origin: string,
  host: string,
  target: string,
  rules: KeyRules,
  url = normalisedUrl(`${origin}${target}`),
): string | undefined {
  const isPassed = rules.accelerator?.passHost === true && host !== '';
  if (!isPassed) return url === undefined ? undefined : markedFor(url, rules);
  const prefix = keyPrefix(origin, host, rules);
  const named = prefix === undefined ? undefined : normalisedUrl(`${prefix}${target}`);
  return named === undefined ? undefined : markedFor(named, rules);
}

/** The host, with its port where that is not the usual one, of a key. */
export function authorityOf(key: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/.exec(key)?.[1] ?? '';
}
