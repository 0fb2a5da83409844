/** A member that shares the load; a weight of 2 gets twice as much as one of 1. */
export interface Member {
  readonly name: string;
  readonly weight: number;
}

/**
 * Members in the order in which to try them for a key (rendezvous or highest-random-weight hashing). The same members
 * always give the same order, and when one leaves only its own keys move. Members without weight are left out.
 */
export function rendezvousOrder<Of extends Member>(key: string, members: readonly Of[]): readonly Of[] {
  return members
    .filter(({ weight }) => weight > 0)
    .map((member) => ({ member, score: scoreOf(key, member) }))
    .sort((a, b) => b.score - a.score || (a.member.name < b.member.name ? -1 : 1))
    .map(({ member }) => member);
}

/** The weight over an exponentially distributed number: the highest score follows the weights. */
function scoreOf(key: string, { name, weight }: Member): number {
  const chance = (hash(`${name}\0${key}`) + 0.5) / 2 ** 32;
  return -weight / Math.log(chance);
}

/** 32 well-mixed bits of a text: FNV-1a, then the final steps of MurmurHash3. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x0100_0193);
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
