import { lookup, reverse } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { failure } from '../kernel/index.ts';
import { linesErrors } from './errors.ts';

/** Looks up names and addresses; a failed lookup gives an empty list. */
export interface NameLookup {
  addressesOf(name: string): Promise<readonly string[]>;
  namesOf(address: string): Promise<readonly string[]>;
}

const systemNames: NameLookup = {
  addressesOf: async (name) => {
    const found = await lookup(name, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  },
  namesOf: (address) => reverse(address).catch(() => []),
};

// A stranger chooses the names of its address: their number needs a limit.
const maxNames = 8;

/** One of the two lists. IPv4 is apart from IPv6, because a block list applies ::/0 to both. */
interface Entries {
  readonly all: boolean;
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
  readonly names: readonly string[];
}

/**
 * The addresses that may connect (Harvest: `Allow` and `Deny` in gatherd.cf). An entry is `all`, `loopback`,
 * an address, a CIDR network, or the name of a host or domain. A name counts only when it resolves back to
 * the address, since the owner of an address can give it any name, and not while the name service fails. A
 * denial outweighs a permission, and an address in neither list is refused.
 */
export class AccessList {
  readonly #allow: Entries;
  readonly #deny: Entries;
  readonly #lookup: NameLookup;

  /** Throws LINES_ACCESS for an entry that is none of these. */
  constructor(allow: readonly string[], deny: readonly string[] = [], names: NameLookup = systemNames) {
    this.#allow = entriesOf(allow);
    this.#deny = entriesOf(deny);
    this.#lookup = names;
  }

  async admits(given: string): Promise<boolean> {
    const address = plainAddress(given);
    if (isIP(address) === 0) return false;
    return !(await this.#holds(this.#deny, address)) && (await this.#holds(this.#allow, address));
  }

  async #holds({ all, names, ...addresses }: Entries, address: string): Promise<boolean> {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (all || addresses[family].check(address, family)) return true;
    if (names.length === 0) return false;
    for (const name of names) if (await this.#leadsTo(name, address)) return true;
    for (const own of (await this.#lookup.namesOf(address)).slice(0, maxNames)) {
      const lower = own.toLowerCase().replace(/\.$/, '');
      const listed = names.some((name) => lower === name || lower.endsWith(`.${name}`));
      if (listed && (await this.#leadsTo(lower, address))) return true;
    }
    return false;
  }

  async #leadsTo(name: string, address: string): Promise<boolean> {
    return (await this.#lookup.addressesOf(name)).map(plainAddress).includes(address);
  }
}

function entriesOf(list: readonly string[]): Entries {
  const addresses = { ipv4: new BlockList(), ipv6: new BlockList() };
  const names: string[] = [];
  let all = false;
  for (const entry of list) {
    const text = entry.trim().toLowerCase();
    const [network = '', bits, more] = text.split('/');
    const kind = isIP(network);
    const family = kind === 4 ? 'ipv4' : 'ipv6';
    const max = kind === 4 ? 32 : 128;
    if (text === 'all') all = true;
    else if (text === 'loopback') {
      addresses.ipv4.addSubnet('127.0.0.0', 8, 'ipv4');
      addresses.ipv6.addAddress('::1', 'ipv6');
    } else if (kind !== 0 && bits === undefined) addresses[family].addAddress(network, family);
    else if (kind !== 0 && more === undefined && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= max)
      addresses[family].addSubnet(network, Number(bits), family);
    else if (/^\.?(?:[a-z0-9_-]{1,63}\.)*[a-z][a-z0-9-]{0,62}\.?$/.test(text) && text.length < 256)
      names.push(text.replace(/^\.|\.$/g, ''));
    else throw failure(linesErrors.LINES_ACCESS, { entry });
  }
  return { all, names, ...addresses };
}

/** Without a zone; an IPv4 address that came over an IPv6 socket in its IPv4 form. */
function plainAddress(address: string): string {
  const bare = address.split('%')[0] ?? '';
  return /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(bare)?.[1] ?? bare.toLowerCase();
}
