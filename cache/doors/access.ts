import { failure } from '../../kernel/index.ts';
import { AccessList, type NameLookup } from '../../line-protocol/index.ts';
import { cacheErrors } from '../errors.ts';

/** An access rule; an absent part matches everything. */
export interface AccessRule {
  readonly allow: boolean;
  /** Addresses, networks, names, `loopback` or `all`, as `AccessList` reads them, and `peers` for known caches. */
  readonly from?: readonly string[];
  readonly methods?: readonly string[];
  /** `example.org` only, `.example.org` with all its subdomains, or an address. */
  readonly hosts?: readonly string[];
  /** `443` or `8000-8999`. */
  readonly ports?: readonly string[];
}

/** The parts of a request on which access depends. */
export interface AccessQuestion {
  readonly from: string;
  readonly method: string;
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The rules after the operator's: an accelerator permits everybody, a proxy this machine and known caches. */
const otherwise = {
  accelerator: [{ allow: true }],
  proxy: [{ allow: true, from: ['loopback', 'peers'] }, { allow: false }],
} satisfies Record<string, readonly AccessRule[]>;

/** Access by source, method, host and port: the first rule that matches decides. */
export class AccessRules {
  readonly #rules: Readonly<Record<'accelerator' | 'proxy', readonly Fits[]>>;
  readonly #open: boolean;

  /** Throws LINES_ACCESS or CACHE_ACCESS_RULE for an invalid rule. */
  constructor(
    rules: readonly AccessRule[] = [],
    isPeer: (address: string) => boolean = () => false,
    names?: NameLookup,
  ) {
    const read = (rule: AccessRule) => readRule(rule, isPeer, names);
    this.#open = rules.length === 0;
    this.#rules = {
      accelerator: [...rules, ...otherwise.accelerator].map(read),
      proxy: [...rules, ...otherwise.proxy].map(read),
    };
  }

  /** Whether a request is permitted. No promise where everybody is. */
  admits(question: AccessQuestion, form: 'accelerator' | 'proxy'): boolean | Promise<boolean> {
    return (this.#open && form === 'accelerator') || decide(this.#rules[form], question);
  }
}

async function decide(rules: readonly Fits[], question: AccessQuestion): Promise<boolean> {
  for (const { allow, fits } of rules) if (await fits(question)) return allow;
  return false;
}

interface Fits {
  readonly allow: boolean;
  readonly fits: (question: AccessQuestion) => boolean | Promise<boolean>;
}

function readRule(
  rule: AccessRule,
  isPeer: (address: string) => boolean,
  names: NameLookup | undefined,
): Fits {
  const { from, methods, hosts, ports } = rule;
  const sources =
    from === undefined
      ? undefined
      : new AccessList(
          from.filter((entry) => entry !== 'peers'),
          [],
          names,
        );
  const peersFit = from?.includes('peers') === true;
  const upper = methods && new Set(methods.map((method) => method.toUpperCase()));
  const places = hosts?.map((host) => host.toLowerCase().replace(/^\[(.*)\]$/, '$1'));
  const ranges = ports?.map(portRange);
  return {
    allow: rule.allow,
    fits: ({ from: address, method, host, port }) => {
      if (upper !== undefined && !upper.has(method)) return false;
      if (places !== undefined && !places.some((place) => isWithin(host, place))) return false;
      if (ranges !== undefined && !ranges.some(([first, last]) => port >= first && port <= last))
        return false;
      if (sources === undefined || (peersFit && isPeer(address))) return true;
      return sources.admits(address);
    },
  };
}

/** Whether a host equals the place, or is below it where the place begins with a dot. */
export function isWithin(host: string, place: string): boolean {
  return place.startsWith('.') ? host === place.slice(1) || host.endsWith(place) : host === place;
}

/** A port or a range of ports. Throws CACHE_ACCESS_RULE. */
export function portRange(text: string): readonly [number, number] {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim()) ?? [];
  if (first === undefined || Number(last) > 65_535 || Number(first) > Number(last))
    throw failure(cacheErrors.CACHE_ACCESS_RULE, { entry: text });
  return [Number(first), Number(last)];
}
