import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Clock } from './clock.ts';
import { RecentMap } from './recent-map.ts';

/** The bounds of what is open at once. */
export interface SlotLimits {
  readonly max: number;
  /** Max for each client, so that one cannot take all. */
  readonly perClient: number;
}

/** Counts what is open at once, within a bound for all and a bound for each client. */
export class ClientSlots {
  readonly #limits: SlotLimits;
  /** Only clients with something open, so max `max` entries. */
  readonly #byClient = new Map<string, number>();
  #open = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Take a place, which disposing frees; the bound that is reached where there is none. */
  enter(client: string): Disposable | 'all' | 'client' {
    const own = this.#byClient.get(client) ?? 0;
    if (this.#open >= this.#limits.max) return 'all';
    if (own >= this.#limits.perClient) return 'client';
    this.#open++;
    this.#byClient.set(client, own + 1);
    let isOpen = true;
    return {
      [Symbol.dispose]: () => {
        if (isOpen) this.#leave(client);
        isOpen = false;
      },
    };
  }

  #leave(client: string): void {
    this.#open--;
    const left = (this.#byClient.get(client) ?? 1) - 1;
    if (left === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, left);
  }
}

/** The share of one client in percent of `max`, at least one place. */
export function shareOf(max: number, percent: number): number {
  return Math.max(1, Math.floor((max * percent) / 100));
}

/** An IPv4 address that is written as an IPv6 one as itself; an address without its zone. */
function bareAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** The part of an address that identifies a client: of IPv6 the network, because one client has all its addresses. */
export function clientOf(address: string): string {
  const bare = bareAddress(address);
  if (!isIPv6(bare)) return bare;
  const [left = [], right = []] = bare.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}

/** What reaches a server through a connection: whose request it is, and over which scheme it was sent. */
export interface Sender {
  /** The address that counts as one client; see `clientOf`. */
  readonly client: string;
  /** Absent where the proxy in front does not say. */
  readonly scheme?: 'http' | 'https' | undefined;
}

/** Headers by which a proxy says whose request it passes on. */
interface ForwardHeaders {
  readonly forwarded?: string | undefined;
  readonly 'x-forwarded-for'?: string | string[] | undefined;
  readonly 'x-forwarded-proto'?: string | string[] | undefined;
}

/** The reverse proxies in front of a server, whose headers are believed; those of others are not read. */
export class Fronts {
  readonly #trusted = new BlockList();
  readonly #isEmpty: boolean;

  /** Addresses, or networks such as 10.0.0.0/8. Throws TypeError for another text. */
  constructor(addresses: readonly string[] = []) {
    this.#isEmpty = addresses.length === 0;
    for (const text of addresses) {
      const [, address = '', prefix] = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      const max = family === 'ipv4' ? 32 : 128;
      if (!(isIPv4(address) || isIPv6(address)) || Number(prefix ?? max) > max)
        throw new TypeError(`${text} is neither an address nor a network`);
      this.#trusted.addSubnet(address, Number(prefix ?? max), family);
    }
  }

  /** Whether connections from this address are those of a trusted proxy. */
  has(address: string): boolean {
    const bare = bareAddress(address);
    if (this.#isEmpty || !(isIPv4(bare) || isIPv6(bare))) return false;
    return this.#trusted.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6');
  }

  /** The sender of a request: that of the connection, or the nearest one behind the trusted proxies. */
  sender(address: string, headers: ForwardHeaders): Sender {
    if (!this.has(address)) return { client: clientOf(address) };
    const [found, other] = stepLists(headers).map((steps) => this.#nearest(steps));
    // A proxy passes on the header that it does not write, as its caller sent it: two that differ prove nothing.
    const isProved = other === undefined || other.from === found?.from;
    const client = clientOf((isProved ? found?.from : undefined) ?? address);
    return { client, scheme: found?.scheme ?? other?.scheme };
  }

  /** The nearest step that is no trusted proxy's. Each proxy adds its caller at the end; a foreigner wrote those before. */
  #nearest(steps: readonly Step[]): Step {
    const nearest = steps.findLast(({ from }) => from !== undefined && !this.has(from));
    return { from: nearest?.from, scheme: nearest?.scheme ?? steps.at(-1)?.scheme };
  }
}

interface Step {
  readonly from: string | undefined;
  readonly scheme: Sender['scheme'];
}

const schemeOf = (text: string | undefined) =>
  text === 'http' || text === 'https' ? (text as 'http' | 'https') : undefined;

const maxSteps = 32;

/** The steps that `Forwarded` (RFC 7239) and `X-Forwarded-For` list, the nearest at the end; a list for each header. */
function stepLists(headers: ForwardHeaders): Step[][] {
  const elements = (value: string | string[]) =>
    String(value)
      .split(',')
      .slice(-maxSteps)
      .map((element) => element.trim());
  const { forwarded, 'x-forwarded-for': listed, 'x-forwarded-proto': schemes } = headers;
  const scheme = schemes === undefined ? undefined : schemeOf(elements(schemes).at(-1)?.toLowerCase());
  const valueIn = (element: string, name: string) =>
    new RegExp(`(?:^|;)\\s*${name}="?([^";]*)"?\\s*(?:;|$)`, 'i').exec(element)?.[1];
  return [
    ...(forwarded === undefined
      ? []
      : [
          elements(forwarded).map((element) => ({
            from: addressIn(valueIn(element, 'for')),
            scheme: schemeOf(valueIn(element, 'proto')?.toLowerCase()),
          })),
        ]),
    ...(listed === undefined
      ? []
      : [elements(listed).map((element) => ({ from: addressIn(element), scheme }))]),
  ];
}

/** The address of `192.0.2.1:80`, `[2001:db8::1]:80` or an address alone. */
function addressIn(text: string | undefined): string | undefined {
  const bare = bareAddress(/^\[([^\]]+)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? text ?? '');
  const without = bare.replace(/^([\d.]+):\d+$/, '$1');
  return isIPv4(without) || isIPv6(without) ? without : undefined;
}

const minuteMs = 60_000;

/** Bounds the lines that callers cause: the first of a kind in a minute are written, and further ones counted. */
export class LineBound {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #kinds = new RecentMap<string, { minute: number; lines: number; more: number }>(100);

  constructor(clock: Clock, perMinute = 30) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** How many lines of this kind were left out before, where a line may be written now; undefined where it may not. */
  pass(kind = ''): number | undefined {
    const minute = Math.floor(this.#clock.now() / minuteMs);
    const row = this.#kinds.get(kind) ?? { minute, lines: 0, more: 0 };
    this.#kinds.set(kind, row);
    if (row.minute !== minute) [row.minute, row.lines] = [minute, 0];
    if (row.lines >= this.#perMinute) {
      row.more++;
      return undefined;
    }
    row.lines++;
    const { more } = row;
    row.more = 0;
    return more;
  }
}
