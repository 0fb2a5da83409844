import type { Group, GroupBounds, GroupRule, SplitRequest } from './groups.ts';
import { type Handle, sameBytes } from './handle.ts';
import type { GroupSummary, OrderedView, Placed, Position, PositionRange } from './ordered-view.ts';
import { PlacedSet } from './position-sorted-set.ts';
import type { GroupScheme } from './scheme.ts';

interface Fetch {
  readonly handle: Handle;
  readonly data?: Uint8Array;
  readonly signature?: Uint8Array;
}

/** The result of comparing a store's groups: objects to request, objects to forget, groups to split. */
export interface GroupFindings {
  /** With the data of its own group where it is alone in it, and its signature where the store sent it. */
  readonly fetch: readonly Fetch[];
  readonly forget: readonly Placed[];
  readonly split: readonly SplitRequest[];
}

/** An object that was just learned, with its rank among the client's objects in a range. */
interface Ranked {
  readonly position: Position;
  readonly rank: number;
}

/** The client's side of DIST-UNI-AWARE (paper, figure 11). Objects learned during the run count as held. */
export class GroupLearner {
  readonly #view: OrderedView;
  readonly #rule: GroupRule;
  readonly #sums: boolean;
  /** Ends of groups that the client lacked or held differently, as the store has them. */
  readonly #learned = new PlacedSet();
  readonly #wanted = new Set<Handle>();
  readonly #handleOf: (position: Position) => Handle;
  readonly #learn: (handles: readonly Handle[]) => Promise<readonly Placed[]>;

  /** `learn` learns objects at once and returns how they are held, where ends come without signatures. */
  constructor(
    view: OrderedView,
    { rule, compresses }: GroupScheme,
    handleOf: (position: Position) => Handle,
    learn: (handles: readonly Handle[]) => Promise<readonly Placed[]>,
  ) {
    this.#view = view;
    this.#rule = rule;
    // Behind the latest timestamp of an end that was just learned, equally new objects would be invisible.
    this.#sums = compresses === 'signatures';
    this.#handleOf = handleOf;
    this.#learn = learn;
  }

  /** Handles of all objects found new or changed so far. */
  get wanted(): ReadonlySet<Handle> {
    return this.#wanted;
  }

  /** Compare one message of the store. */
  async hear(groups: readonly Group[]): Promise<GroupFindings> {
    const fetch: Fetch[] = [];
    const forget: Placed[] = [];
    const split: SplitRequest[] = [];
    const want = (found: Fetch) => {
      if (this.#wanted.has(found.handle)) return;
      this.#wanted.add(found.handle);
      fetch.push(found);
    };
    if (this.#sums) await this.#learnEnds(groups, want);
    for (const group of groups) {
      const { prevMax, nextMin } = group;
      if (group.kind === 'objects') {
        await this.#compareObjects(group.objects, { above: prevMax, below: nextMin }, want, forget);
        continue;
      }
      const { min, max } = group;
      for await (const held of this.#view.entries({ above: prevMax, below: min })) forget.push(held);
      for await (const held of this.#view.entries({ above: max, below: nextMin })) forget.push(held);
      const own = await this.#summary({ from: min, to: max });
      if (sameBytes(own.data(), group.data)) continue;
      if (min === max) want({ handle: this.#handleOf(min), data: group.data });
      else split.push(await this.#request(group));
    }
    return { fetch, forget, split };
  }

  /** Ends that are not held or, where they are signed, are held differently. */
  async #learnEnds(groups: readonly Group[], want: (found: Fetch) => void): Promise<void> {
    const missing: Handle[] = [];
    for (const group of groups) {
      if (group.kind === 'objects') continue;
      for (const [i, position] of (group.min === group.max
        ? [group.min]
        : [group.min, group.max]
      ).entries()) {
        if (this.#learned.has(position)) continue;
        const held = await this.#held(position);
        const signed = group.ends?.[i as 0 | 1];
        // For an object alone in its group the group's own data suffices.
        if (signed === undefined && this.#rule.ends === 'signed') continue;
        if (signed === undefined ? held !== undefined : held && sameBytes(held.signature, signed.signature))
          continue;
        const handle = this.#handleOf(position);
        if (signed !== undefined) {
          want({ handle, signature: signed.signature });
          this.#learned.add(signed);
        } else if (!this.#wanted.has(handle)) {
          this.#wanted.add(handle);
          missing.push(handle);
        }
      }
    }
    if (missing.length === 0) return;
    for (const placed of await this.#learn(missing)) this.#learned.add(placed);
  }

  async #held(position: Position): Promise<Placed | undefined> {
    for await (const placed of this.#view.entries({ from: position, to: position })) return placed;
    return undefined;
  }

  async #compareObjects(
    objects: readonly Placed[],
    range: PositionRange,
    want: (found: Fetch) => void,
    forget: Placed[],
  ): Promise<void> {
    const theirs = new Map(objects.map((placed) => [placed.position, placed]));
    for await (const held of this.#view.entries(range)) {
      const placed = theirs.get(held.position);
      if (placed === undefined) forget.push(held);
      else if (sameBytes(placed.signature, held.signature)) theirs.delete(held.position);
    }
    for (const { position, handle, signature } of theirs.values())
      if (!this.#learned.has(position)) want({ handle, data: signature, signature });
  }

  /** The client's objects between two positions, with those that it has just learned there. */
  async #summary(range: PositionRange): Promise<GroupSummary> {
    const summary = await this.#view.summary(range);
    for (const placed of this.#learned.within(range)) {
      const held = await this.#held(placed.position);
      if (held !== undefined) summary.remove?.(held);
      summary.add(placed);
    }
    return summary;
  }

  async #request({ prevMax, min, max, nextMin }: GroupBounds): Promise<SplitRequest> {
    const bounds: GroupBounds = { prevMax, min, max, nextMin };
    if (this.#rule.speaks === 'store') return bounds;
    const inside: PositionRange =
      this.#rule.ends === 'signed' ? { above: min, below: max } : { from: min, to: max };
    const positions: Position[] = [];
    const held = await this.#view.count(inside);
    const fresh: Ranked[] = [];
    const { to: _to, below: _below, ...start } = inside;
    for (const { position } of this.#learned.within(inside)) {
      if ((await this.#held(position)) !== undefined) continue;
      // Objects held before a fresh one move up by one place each.
      const rank = (await this.#view.count({ ...start, below: position })) + fresh.length;
      fresh.push({ position, rank });
    }
    const count = held + fresh.length;
    const parts = Math.min(this.#rule.fanout, count);
    for (let part = 1; part < parts; part++)
      positions.push(await this.#nth(inside, fresh, Math.floor((part * count) / parts) - 1));
    const own: { to: Position; data: Uint8Array }[] = [];
    let { from, above } = inside;
    for (const to of positions) {
      own.push({ to, data: (await this.#summary({ from, above, to })).data() });
      [from, above] = [undefined, to];
    }
    const rest = await this.#summary({ from, above, to: inside.to, below: inside.below });
    own.push({ to: max, data: rest.data() });
    return { ...bounds, own };
  }

  /** Position of the `index`-th object among the held and the just learned (`fresh`, in order). */
  async #nth(range: PositionRange, fresh: readonly Ranked[], index: number): Promise<Position> {
    let [low, high] = [0, fresh.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((fresh[middle] as Ranked).rank < index) low = middle + 1;
      else high = middle;
    }
    const at = fresh[low];
    return at?.rank === index ? at.position : (await this.#view.at(range, index - low)).position;
  }
}
