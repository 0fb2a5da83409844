import { normalisedUrl, secureKey } from '../rules/index.ts';
import type { Scheme } from './forwarding-fields.ts';

/** The hosts of an accelerator, and their origins. */
export interface AcceleratedHosts {
  /** `scheme://host:port`, possibly with a path, for a Host field; undefined when it is not served. */
  originFor(host: string): string | undefined;
  /** The same for a host that the operator named, without the origin of every host. */
  namedOriginFor(host: string): string | undefined;
  /** The operator's own name of a requested host, when the origin's answers are for no other host. */
  forwardedHost(host: string): string | undefined;
  /** Whether origins get the requested host, so that it is part of the key. */
  readonly passHost: boolean;
  readonly origins: readonly string[];
}

/** The inputs of a key besides the request's target. */
export interface KeyRules {
  readonly accelerator?: AcceleratedHosts | undefined;
  readonly scheme: Scheme;
  readonly forwardsScheme: boolean;
}

/**
 * The prefix of the keys of accelerated requests for a host: the origin's URL, or with `passHost` the host's
 * own, with `http` for either scheme. Undefined when that is not a URL.
 */
export function keyPrefix(
  origin: string,
  host: string,
  { accelerator, scheme }: Omit<KeyRules, 'forwardsScheme'>,
): string | undefined {
  const isPassed = accelerator?.passHost === true && host !== '';
  const url = normalisedUrl(isPassed ? `${scheme}://${host}/` : `${origin}/`);
  const named = url !== undefined && isPassed ? normalisedUrl(url.replace(/^https/, 'http')) : url;
  return named?.slice(0, -1);
}

/** The key of a URL, marked where responses for TLS clients are stored separately. */
function markedFor(url: string, { forwardsScheme, scheme }: KeyRules): string {
  return forwardsScheme && scheme === 'https' ? secureKey(url) : url;
}

/** The key of an accelerated request's response; undefined for an invalid target. `url`: the origin's URL. */
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

/** The host of a key, with its port where that is not the default. */
export function authorityOf(key: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/.exec(key)?.[1] ?? '';
}
