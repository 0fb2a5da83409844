import { failure, type GarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import {
  effectiveUrl,
  Fields,
  maxUrlLength,
  type RawFields,
  withoutConnectionFields,
  withoutFields,
} from '../rules/index.ts';
import { forwardedScheme, type Scheme } from './forwarding-fields.ts';
import type { RequestedHead } from './reply.ts';
import { type AcceleratedHosts, authorityOf, requestKey } from './request-key.ts';

export interface HeadRules {
  readonly proxy: boolean;
  readonly accelerator?: AcceleratedHosts | undefined;
  readonly scheme: Scheme;
  /** Whether accelerated origins get the client's protocol, so that their answers may depend on it. */
  readonly forwardsScheme: boolean;
  readonly maxFields: number;
  readonly maxUploadBytes: number;
}

/** A parsed and checked request head. */
export interface RequestHead {
  readonly url: string;
  /** The key under which its response is stored. */
  readonly key: string;
  /** The host sent to an accelerated origin; the host of `url` when absent. */
  readonly authority?: string | undefined;
  /** The client's protocol, possibly as a server in front states it. */
  readonly scheme: Scheme;
  /** 'absolute': a proxy request; 'origin': a request to an accelerated host. */
  readonly form: 'absolute' | 'origin';
  /** The Host field as sent, or the authority of an absolute URL; empty for an HTTP/1.0 request without one. */
  readonly host: string;
  /** End-to-end fields without Host and framing fields; Expect goes with its content (RFC 9110 10.1.1). */
  readonly fields: RawFields;
  readonly content: { readonly length?: number | undefined } | undefined;
}

const takenOut: ReadonlySet<string> = new Set(['host', 'content-length']);
const hostPattern = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{0,5})?$/i;

/** Whether a text is a valid Host field (RFC 9110 7.2), including its port. */
export const isHost = (text: string): boolean => hostPattern.test(text);

const refused = (problem: string) => failure(cacheErrors.CACHE_BAD_REQUEST, { problem });

/**
 * The unambiguous meaning of a request's head, or the reason why it has none (RFC 9112 3.2, 6.3, 11.2).
 * Node's parser has refused what is not HTTP; this refuses what two recipients might read in two ways.
 */
export function understandHead(
  request: Pick<RequestedHead, 'rawHeaders' | 'url' | 'httpVersion'>,
  rules: HeadRules,
): RequestHead | GarnerError {
  const { rawHeaders: raw, url: target = '', httpVersion: version } = request;
  if (version !== '1.1' && version !== '1.0') return refused(`this cache does not speak HTTP/${version}`);
  if (raw.length / 2 > rules.maxFields)
    return failure(cacheErrors.CACHE_HEAD_TOO_LARGE, { limit: `${rules.maxFields} fields` });
  const found = decisive(raw);
  if (typeof found === 'string') return refused(found);
  const host = found.host ?? '';
  if (found.host === undefined && version !== '1.0') return refused('it has no Host');
  if (host !== '' && !isHost(host)) return refused('its Host is not valid');
  const content = framingOf(found, version, rules.maxUploadBytes);
  if (content instanceof Error) return content;
  const fields = withoutFields(withoutConnectionFields(raw), takenOut);
  const scheme = rules.forwardsScheme ? schemeOf(fields, rules.scheme) : rules.scheme;
  const where = urlOf(target, host, { ...rules, scheme });
  if (where instanceof Error) return where;
  const { url, key, authority, form, host: named = host } = where;
  const framed = content === 'none' ? undefined : content;
  return { url, key, authority, scheme, form, host: named, fields, content: framed };
}

function schemeOf(raw: RawFields, ours: Scheme): Scheme {
  const fields = new Fields(raw);
  return forwardedScheme(fields.get('x-forwarded-proto'), fields.get('forwarded')) ?? ours;
}

/** The place that a request leads to. */
type Place = Pick<RequestHead, 'url' | 'key' | 'authority' | 'form'> & { readonly host?: string };

interface Decisive {
  host?: string;
  length?: string;
  coding?: string;
}

/** The fields that decide the meaning of a message, each at most once. */
function decisive(raw: RawFields): Decisive | string {
  const found: Decisive = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (name.length !== 4 && name.length !== 14 && name.length !== 17) continue;
    const value = raw[at + 1] ?? '';
    switch (name.toLowerCase()) {
      case 'host':
        if (found.host !== undefined) return 'it has several Hosts';
        found.host = value.trim();
        break;
      case 'content-length':
        if (found.length !== undefined) return 'it declares its length twice';
        found.length = value.trim();
        break;
      case 'transfer-encoding':
        if (found.coding !== undefined) return 'it declares its transfer coding twice';
        found.coding = value.trim().toLowerCase();
        break;
      default:
    }
  }
  return found;
}

function framingOf(
  { length, coding }: Decisive,
  version: string,
  maxUploadBytes: number,
): { length?: number } | 'none' | GarnerError {
  if (coding !== undefined) {
    if (length !== undefined) return refused('it declares a length and a transfer coding');
    if (version !== '1.1') return refused(`HTTP/${version} has no transfer codings`);
    if (coding !== 'chunked')
      return failure(cacheErrors.CACHE_METHOD, { what: 'a transfer coding other than chunked' });
    return {};
  }
  if (length === undefined) return 'none';
  if (!/^\d{1,15}$/.test(length)) return refused('its length is not a number');
  if (Number(length) > maxUploadBytes)
    return failure(cacheErrors.CACHE_CONTENT_TOO_LARGE, { limit: maxUploadBytes });
  return { length: Number(length) };
}

function urlOf(target: string, host: string, rules: HeadRules): Place | GarnerError {
  if (!target.startsWith('/')) {
    const url = effectiveUrl('http', '', target);
    if (url === undefined) return unusable(target.length, 'its URL');
    // An absolute URL has priority over Host; an accelerator must accept it too (RFC 9112 3.2.2).
    const authority = /^[a-z]+:\/\/([^/]+)(.*)$/.exec(url);
    const host = authority?.[1] ?? '';
    const { accelerator } = rules;
    const own = rules.proxy ? accelerator?.namedOriginFor(host) : accelerator?.originFor(host);
    if (own !== undefined) return mapped(own, host, authority?.[2] ?? '/', rules);
    if (!rules.proxy) return failure(cacheErrors.CACHE_NOT_SERVED, {});
    return { url, key: url, form: 'absolute' };
  }
  const origin = rules.accelerator?.originFor(host.toLowerCase());
  if (origin === undefined) return failure(cacheErrors.CACHE_NOT_SERVED, {});
  return mapped(origin, host, target, rules);
}

function mapped(origin: string, host: string, target: string, rules: HeadRules): Place | GarnerError {
  const url = effectiveUrl('http', '', `${origin}${target}`);
  const key = url && requestKey(origin, host, target, rules, url);
  if (url === undefined || key === undefined)
    return unusable(target.length + Math.max(origin.length, 'https://'.length + host.length), 'its path');
  const authority = rules.accelerator?.passHost === true && host !== '' ? authorityOf(key) : undefined;
  return { url, key, host, authority, form: 'origin' };
}

/** The error for a URL that is invalid or too long. */
function unusable(length: number, what: string): GarnerError {
  if (length > maxUrlLength) return failure(cacheErrors.CACHE_URL_TOO_LONG, { limit: maxUrlLength });
  return refused(`${what} cannot be used`);
}
