import { type Handle, sameBytes } from './handle.ts';
import type { OrderedView, Placed, Position, PositionRange } from './ordered-view.ts';

/** The bounds of a group: its ends and its neighbours' (paper, section 6, GroupInfo). Ends are objects of the store. */
export interface GroupBounds {
  readonly prevMax: Position | undefined;
  readonly min: Position;
  readonly max: Position;
  readonly nextMin: Position | undefined;
}

/** A store's statement about the objects between two neighbours: one summary of them all, or each of them. */
export type Group =
  | (GroupBounds & {
      readonly kind: 'data';
      readonly data: Uint8Array;
      /** The ends' own objects, where ends are signed: they need not be sent again. */
      readonly ends?: readonly [Placed, Placed];
    })
  | {
      readonly kind: 'objects';
      readonly prevMax: Position | undefined;
      readonly nextMin: Position | undefined;
      /** All objects of the store between the two; an empty list says that there is none. */
      readonly objects: readonly Placed[];
    };

/** A client's request for a group that differs; `own` are its groups there, each up to its last position. */
export interface SplitRequest extends GroupBounds {
  readonly own?: readonly { readonly to: Position; readonly data: Uint8Array }[];
}

/** How groups are made and compared: the custom functions of DIST-UNI-AWARE, as data. */
export interface GroupRule {
  /** Number of groups into which one is split. */
  readonly fanout: number;
  /** Groups in the first message. */
  readonly opening: number;
  /** Groups of up to this many objects are sent object by object. */
  readonly leaf: number;
  /** Whether the client sends its own data when it requests a split (paper, section 6.3). */
  readonly speaks: 'store' | 'both';
  /**
   * Ends of a group are sent with their signatures and left out of what follows, or they stay in. Ends that are
   * left out without a signature, as in the paper's figure 14, would hide their own changes.
   */
  readonly ends: 'stay' | 'signed';
}

/** The handle of a position: the last bytes of it. */
export function handleAt(position: Position, handleLength: number): Handle {
  return position.slice(position.length - handleLength) as Handle;
}

/** The objects of `range` in at most `parts` groups of equal size. */
async function divided(
  view: OrderedView,
  rule: GroupRule,
  range: PositionRange,
  neighbours: { readonly prevMax: Position | undefined; readonly nextMin: Position | undefined },
  parts: number,
): Promise<readonly Group[]> {
  const count = await view.count(range);
  if (count === 0) return [{ kind: 'objects', ...neighbours, objects: [] }];
  const groups: Group[] = [];
  const many = Math.min(parts, count);
  let prevMax = neighbours.prevMax;
  for (let part = 0; part < many; part++) {
    const first = Math.floor((part * count) / many);
    const last = Math.floor(((part + 1) * count) / many) - 1;
    const head = await view.at(range, first);
    const tail = first === last ? head : await view.at(range, last);
    const nextMin = part + 1 < many ? (await view.at(range, last + 1)).position : neighbours.nextMin;
    const inside = { from: head.position, to: tail.position };
    if (rule.leaf > 1 && last - first < rule.leaf) {
      const objects: Placed[] = [];
      for await (const placed of view.entries(inside)) objects.push(placed);
      groups.push({ kind: 'objects', prevMax, nextMin, objects });
    } else {
      const data = (await view.summary(inside)).data();
      const bounds = { prevMax, min: head.position, max: tail.position, nextMin };
      const signed = rule.ends === 'signed' && first !== last;
      groups.push({ kind: 'data', ...bounds, data, ...(signed ? { ends: [head, tail] } : {}) });
    }
    prevMax = tail.position;
  }
  return groups;
}

/** The store's first message: all its objects, in groups. None when it is empty. */
export function openingGroups(view: OrderedView, rule: GroupRule): Promise<readonly Group[]> {
  return divided(view, rule, {}, { prevMax: undefined, nextMin: undefined }, rule.opening);
}

/** The store's answer to one request (paper, figure 11, Store VectorAs). */
export async function splitGroup(
  view: OrderedView,
  rule: GroupRule,
  request: SplitRequest,
): Promise<readonly Group[]> {
  const signed = rule.ends === 'signed';
  const inside: PositionRange = signed
    ? { above: request.min, below: request.max }
    : { from: request.min, to: request.max };
  const outer = signed
    ? { prevMax: request.min, nextMin: request.max }
    : { prevMax: request.prevMax, nextMin: request.nextMin };
  if (request.own === undefined) return divided(view, rule, inside, outer, rule.fanout);
  // The client's own groups are adjacent; equal ones need no answer.
  const groups: Group[] = [];
  let { from, above } = inside;
  let prevMax = outer.prevMax;
  for (const [i, own] of request.own.entries()) {
    const final = i === request.own.length - 1;
    const end = final ? { to: inside.to, below: inside.below } : { to: own.to };
    const range: PositionRange = { from, above, ...end };
    [from, above] = [undefined, own.to];
    const count = await view.count(range);
    const equal = sameBytes((await view.summary(range)).data(), own.data);
    const last = count === 0 ? prevMax : (await view.at(range, count - 1)).position;
    if (!equal) {
      const following: PositionRange = { above: last, to: inside.to, below: inside.below };
      const more = await view.count(following);
      const nextMin = more > 0 ? (await view.at(following, 0)).position : outer.nextMin;
      groups.push(...(await divided(view, rule, range, { prevMax, nextMin }, rule.fanout)));
    }
    prevMax = last;
  }
  return groups;
}
