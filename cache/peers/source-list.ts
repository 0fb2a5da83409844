import { BlockList, isIP } from 'node:net';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';

/** An IPv4 address in its own form, even from an IPv6 socket; without a zone. */
export function plainAddress(address: string): string {
  const bare = address.split('%')[0] ?? '';
  return /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(bare)?.[1] ?? bare.toLowerCase();
}

/** Permitted senders of datagrams, without names: a stranger's datagram must not query a name service. */
export class SourceList {
  readonly #all: boolean;
  readonly #lists = { 4: new BlockList(), 6: new BlockList() };

  /** Undefined when an entry is not `all`, `loopback`, an address or a network in CIDR form. */
  static of(entries: readonly string[]): SourceList | undefined {
    const list = new SourceList(entries.includes('all'));
    return entries.every((entry) => entry === 'all' || list.#take(entry)) ? list : undefined;
  }

  private constructor(all: boolean) {
    this.#all = all;
  }

  has(address: string): boolean {
    const kind = isIP(address);
    if (kind === 4) return this.#all || this.#lists[4].check(address, 'ipv4');
    return kind === 6 && (this.#all || this.#lists[6].check(address, 'ipv6'));
  }

  #take(entry: string): boolean {
    if (entry === 'loopback') {
      this.#lists[4].addSubnet('127.0.0.0', 8, 'ipv4');
      this.#lists[6].addAddress('::1', 'ipv6');
      return true;
    }
    const [network = '', bits, more] = entry.split('/');
    const kind = isIP(network);
    if (more !== undefined || (kind !== 4 && kind !== 6)) return false;
    const family = kind === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) this.#lists[kind].addAddress(network, family);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128))
      this.#lists[kind].addSubnet(network, Number(bits), family);
    else return false;
    return true;
  }
}

/** The list of these entries. Throws CACHE_SOURCE for the first invalid one. */
export function sourceList(entries: readonly string[]): SourceList {
  const list = SourceList.of(entries);
  if (list) return list;
  const entry = entries.find((each) => SourceList.of([each]) === undefined) ?? '';
  throw failure(cacheErrors.CACHE_SOURCE, { entry });
}
