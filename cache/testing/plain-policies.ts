// Policies as in their papers, in plain lists, to compare the fast ones with.

export interface PlainPolicy {
  added(slot: number): void;
  touched(slot: number): void;
  removed(slot: number): void;
  evict(keep: (slot: number) => boolean): number;
  size(): number;
}

/** SIEVE: oldest first; `hand` is an index into the list. */
export function plainSieve(): PlainPolicy {
  let list: { slot: number; used: boolean }[] = [];
  let hand = 0;
  const removed = (slot: number) => {
    const at = list.findIndex((one) => one.slot === slot);
    if (at === -1) return;
    list = list.toSpliced(at, 1);
    if (at < hand) hand--;
  };
  return {
    added(slot) {
      removed(slot);
      // A hand that has passed the newest is at the oldest again, not before what comes next.
      if (hand >= list.length) hand = 0;
      list.push({ slot, used: false });
    },
    touched(slot) {
      const one = list.find((other) => other.slot === slot);
      if (one !== undefined) one.used = true;
    },
    removed,
    evict(keep) {
      for (let looks = 2 * list.length; looks > 0; looks--) {
        if (hand >= list.length) hand = 0;
        const one = list[hand];
        if (one === undefined) break;
        if (!one.used && !keep(one.slot)) {
          list = list.toSpliced(hand, 1);
          return one.slot;
        }
        one.used = false;
        hand++;
      }
      return -1;
    },
    size: () => list.length,
  };
}

/** LRU: the longest unused first; what is kept counts as used. */
export function plainLru(): PlainPolicy {
  let list: number[] = [];
  const removed = (slot: number) => {
    list = list.filter((one) => one !== slot);
  };
  return {
    added(slot) {
      removed(slot);
      list.push(slot);
    },
    touched(slot) {
      if (!list.includes(slot)) return;
      removed(slot);
      list.push(slot);
    },
    removed,
    evict(keep) {
      const at = list.findIndex((slot) => !keep(slot));
      const gone = list[at];
      const kept = at === -1 ? [] : list.slice(0, at);
      list = [...list.slice(at + 1), ...kept];
      return gone ?? -1;
    },
    size: () => list.length,
  };
}
