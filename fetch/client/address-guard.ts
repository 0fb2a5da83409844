import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { failure } from '../../kernel/index.ts';
import { fetchErrors } from '../errors.ts';

// IANA special-purpose registries: every range that is not reachable over the Internet.
const private4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

// Inside 2000::/3; outside of it only translated IPv4 is public.
const private6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

function blockList(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, family);
  return list;
}

const refused4 = blockList(private4, 'ipv4');
const refused6 = blockList(private6, 'ipv6');
const global6 = blockList([['2000::', 3]], 'ipv6');

/** The eight 16-bit groups of an IPv6 address that `isIP` accepted. */
function groupsOf(address: string): readonly number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted
    ? `${dotted[1]}${(Number(dotted[2]) * 256 + Number(dotted[3])).toString(16)}:${(
        Number(dotted[4]) * 256 + Number(dotted[5])
      ).toString(16)}`
    : address;
  const [head = '', tail] = text.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = parse(head);
  if (tail === undefined) return left;
  const right = parse(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

const dotted = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/** The IPv4 address in an IPv6 address (mapped, NAT64, 6to4), or undefined. */
function embedded4(address: string): string | undefined {
  const groups = groupsOf(address);
  const at = (index: number) => groups[index] ?? 0;
  const zeros = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (zeros(0, 5) && at(5) === 0xffff) return dotted(at(6), at(7));
  if (at(0) === 0x64 && at(1) === 0xff9b && zeros(2, 6)) return dotted(at(6), at(7));
  if (at(0) === 0x2002) return dotted(at(1), at(2));
  return undefined;
}

/** Whether an IP address (v4 or v6, with or without zone) belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  const bare = address.split('%')[0] as string;
  if (isIPv4(bare)) return !refused4.check(bare, 'ipv4');
  if (isIP(bare) !== 6) return false;
  const inner = embedded4(bare);
  if (inner !== undefined) return !refused4.check(inner, 'ipv4');
  return global6.check(bare, 'ipv6') && !refused6.check(bare, 'ipv6');
}

const unbracketed = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

/** Whether a URL's host name is this machine by its spelling: `localhost`, 127/8 or ::1. */
export function isLoopbackHost(hostname: string): boolean {
  const bare = unbracketed(hostname).toLowerCase();
  // By its spelling too: a BlockList makes an object for every check, which lives until the next long collection.
  if (isIPv4(bare)) return bare.startsWith('127.');
  return bare === '::1' || bare === 'localhost' || bare.endsWith('.localhost');
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'ftp:': '21', 'gopher:': '70' };
const portOf = (url: URL) => url.port || (defaultPorts[url.protocol] ?? '80');

/** `host:port` pairs of an operator's entry: a URL, `host:port`, or `host` (ports 80 and 443). */
function typedPlaces(typed: string): string[] {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const text = isUrl ? typed : `http://${isIP(typed) === 6 ? `[${typed}]` : typed}`;
  if (!URL.canParse(text))
    throw failure(fetchErrors.FETCH_BAD_URL, { url: typed, why: 'not a host or host:port' });
  const url = new URL(text);
  const host = unbracketed(url.hostname);
  if (isUrl || url.port !== '' || /:80$/.test(typed)) return [`${host}:${portOf(url)}`];
  return [`${host}:80`, `${host}:443`];
}

/** Keeps links, redirects and DNS answers out of private networks, except configured hosts and ports. */
export class AddressGuard {
  readonly #typed: ReadonlySet<string>;
  readonly #resolve: LookupFunction;
  readonly #setting: string | undefined;

  /** Errors name `setting` as the list of allowed hosts. */
  constructor(allowHosts: Iterable<string>, resolve: LookupFunction = systemLookup, setting?: string) {
    this.#typed = new Set(Array.from(allowHosts, typedPlaces).flat());
    this.#resolve = resolve;
    this.#setting = setting;
  }

  /** Whether the operator named this host and port. */
  isTyped(hostname: string, port: string | number): boolean {
    return this.#typed.has(`${unbracketed(hostname)}:${port}`);
  }

  /** Throws FETCH_PRIVATE_ADDRESS when a URL's host is a literal private address; names are checked at connect. */
  check(url: URL): void {
    this.checkLiteral(url.hostname, portOf(url));
  }

  /** The same for a host name or literal and its port. */
  checkLiteral(hostname: string, port: string | number): void {
    if (this.isTyped(hostname, port)) return;
    const bare = unbracketed(hostname);
    if (isIP(bare) !== 0 && !isPublicAddress(bare)) throw this.#refusal(`${hostname}:${port}`, bare);
  }

  #refusal(host: string, address: string): Error {
    return failure(fetchErrors.FETCH_PRIVATE_ADDRESS, { host, address, setting: this.#setting });
  }

  /** Name resolution without restriction, for entries of the operator. */
  get openLookup(): LookupFunction {
    return this.#resolve;
  }

  /** Name resolution that refuses a name with any private address, at the moment of connecting to it. */
  readonly guardedLookup: LookupFunction = (hostname, options, callback) => {
    this.#resolve(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, '');
      // A caller that requested all addresses may still get one.
      const all = Array.isArray(answer) ? answer : [{ address: answer, family: isIP(answer) }];
      const refused = all.find(({ address }) => !isPublicAddress(address));
      const first = all[0];
      if (refused || !first) return callback(this.#refusal(hostname, refused?.address ?? 'none'), '');
      if (options.all) callback(null, all);
      else callback(null, first.address, first.family);
    });
  };
}
