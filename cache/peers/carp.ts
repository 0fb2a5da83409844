import type { Member } from './rendezvous.ts';

/** 32-bit rotation to the left. */
const rotated = (value: number, by: number) => ((value << by) | (value >>> (32 - by))) >>> 0;

/** The hash of the Cache Array Routing Protocol, over the bytes of a text. */
function textHash(text: string, seed = 0): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = (hash + rotated(hash, 19) + text.charCodeAt(at)) >>> 0;
  return hash;
}

const scattered = (hash: number) => rotated((hash + Math.imul(hash, 0x6253_1965)) >>> 0, 21);

interface Weighed<Of extends Member> {
  readonly member: Of;
  readonly hash: number;
  readonly multiplier: number;
}

/**
 * Parents with squid's weights for CARP (draft-vinod-carp-v1-03): a squid with the same parents, names
 * (`name=` of cache_peer, else the host) and order chooses the same one. Squid continues the URL's hash from
 * parent to parent, where the draft restarts it. Prefer `rendezvousOrder`.
 */
export class CarpArray<Of extends Member> {
  readonly #weighed: readonly Weighed<Of>[];

  constructor(members: readonly Of[]) {
    const sharing = members.filter(({ weight }) => weight > 0).sort((a, b) => a.weight - b.weight);
    const total = sharing.reduce((sum, { weight }) => sum + weight, 0);
    let [product, lastMultiplier, lastShare] = [1, 0, 0];
    this.#weighed = sharing.map((member, at) => {
      // Members from this one on share what the lighter ones leave.
      const left = sharing.length - at;
      const exact = member.weight / total;
      const share = Math.floor(exact * 1000) === 0 ? 0 : exact;
      const multiplier = ((left * (share - lastShare)) / product + lastMultiplier ** left) ** (1 / left);
      product *= multiplier;
      lastMultiplier = multiplier;
      lastShare = share;
      return { member, hash: scattered(textHash(member.name)), multiplier };
    });
  }

  /** Members in the order in which to try them for a URL. */
  order(url: string): readonly Of[] {
    let key = 0;
    return this.#weighed
      .map(({ member, hash, multiplier }) => {
        key = textHash(url, key);
        return { member, score: scattered((key ^ hash) >>> 0) * multiplier };
      })
      .sort((a, b) => b.score - a.score)
      .map(({ member }) => member);
  }
}
