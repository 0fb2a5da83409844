import type { Want } from './protocol-messages.ts';
import type { GroupScheme, Scheme, VectorScheme } from './scheme.ts';
import { cellBytes } from './sketch.ts';
import { cellsToSend, fromEstimate } from './sketch-refinement.ts';

/** What a choice between schemes is made from. */
export interface CostInput {
  /** Objects in the store, and in the client's copy. */
  readonly count: number;
  readonly held: number;
  /** Changes since the client's marker, or undefined where it has none. */
  readonly changes: number | undefined;
  readonly want: Want['kind'];
  /** Elements in which the two sets are expected to differ, from a hint or from history. */
  readonly differences?: number | undefined;
  /** Whether only what was added is expected to be new, and lies together in every order. */
  readonly appended?: boolean;
  /** The store has forgotten deletions since the client's marker: what it tells of changes is not all. */
  readonly forgotten?: boolean;
  /** The number of differences is an estimate: a client sends more cells than it takes. */
  readonly estimated?: boolean;
  /** The client has named no scheme: one that asks back is named to it first, and then asked for. */
  readonly unnamed?: boolean;
  /** Mean bytes of an object on the wire. */
  readonly objectBytes?: number;
  readonly link?: Link;
}

/** What lies between two servers. */
export interface Link {
  readonly roundTripMs: number;
  readonly bytesPerSecond: number;
}

/** A server elsewhere on the Internet. */
export const usualLink: Link = { roundTripMs: 40, bytesPerSecond: 2_000_000 };

export interface Cost {
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly rounds: number;
  /** Predicted time of the whole. */
  readonly ms: number;
}

// Sizes on the wire, framing and compression included, as measured on an open session.
const askBytes = 44;
const answerBytes = 37;
/** What an answer with elements has more: their names and the store's signature. */
const signedBytes = 96;
/** The signature of an answer that says no more than that it is one. */
const endBytes = 58;
/** Each further message of the same answer, with its signature and the credit for it. */
const messageOverhead = { up: 6, down: 125 } as const;
const messageBytes = 65_536;
/** Names are asked for this many together. */
const fetchStep = 512;
const askByNameBytes = 41;
/** A request with cells has more than one without; so has one with the sums of the whole set. */
const cellsOverhead = 20;
const sumsBytes = 96;
const moreCells = { up: 30, down: 21 } as const;
/** What ends a conversation in which the client may speak last. */
const partingBytes = 14;
/** Cells that come with a request when nothing is known. */
const blindCells = cellsToSend(undefined);
const goneBytes = { handle: 16, short: 6 } as const;
const nameBytes = 16;
const elementBytes = 32;
const objectOverhead = 90;

interface Difference {
  /** Elements that only the store has, and only the client has. */
  readonly learned: number;
  readonly lost: number;
  /** Objects that are gone: of the elements lost, those that nothing replaces. */
  readonly gone: number;
}

/** What is expected to differ. Of changes that leave the number as it is half are taken to be updates. */
function differenceOf({ count, held, changes, differences }: CostInput): Difference {
  const grown = Math.max(0, count - held);
  const shrunk = Math.max(0, held - count);
  let updates: number;
  let exchanged: number;
  if (differences !== undefined && changes !== undefined) {
    updates = Math.max(0, Math.min(differences - changes, changes - grown - shrunk));
    exchanged = Math.max(0, changes - updates - grown - shrunk) / 2;
  } else if (differences !== undefined) {
    updates = Math.max(0, differences - grown - shrunk) / 3;
    exchanged = updates / 2;
  } else {
    // Of a store about whose history nothing is known most is taken to be what it was.
    const rest = Math.max(
      0,
      (changes ?? Math.min(count + held, Math.sqrt(count) + grown + shrunk)) - grown - shrunk,
    );
    updates = rest / 2;
    exchanged = rest / 4;
  }
  return {
    learned: grown + updates + exchanged,
    lost: shrunk + updates + exchanged,
    gone: shrunk + exchanged,
  };
}

interface Bytes {
  up: number;
  down: number;
  rounds: number;
}

/** Milliseconds that it takes to check and keep an object that comes whole. */
const objectMs = 0.25;

const nothing: Bytes = { up: 0, down: 0, rounds: 0 };

/** To be told that a scheme asks back, which is then asked for. */
const naming: Bytes = { up: askBytes, down: answerBytes + endBytes, rounds: 1 };
/** With the sums of the store's set, by which the client knows how many cells to send. */
const namingWithSums: Bytes = { ...naming, down: naming.down + sumsBytes };

/** A few deletions that the log did not tell: the fingerprint does, and a sketch tells which. */
const correction: Bytes = {
  up: askBytes + cellsOverhead + blindCells * cellBytes + sumsBytes,
  down: answerBytes + signedBytes + partingBytes,
  rounds: 1,
};

/** An answer of so many bytes of elements. */
function answered(elements: number): { readonly up: number; readonly down: number } {
  if (elements === 0) return { up: 0, down: answerBytes + endBytes };
  const further = Math.ceil(elements / messageBytes) - 1;
  const down = answerBytes + signedBytes + elements + further * messageOverhead.down;
  return { up: further * messageOverhead.up, down };
}

/** Objects asked for by names of `name` bytes. */
function fetched(objects: number, name: number, size: number): Bytes {
  if (objects === 0) return nothing;
  const asked = Math.ceil(objects / fetchStep);
  const each = answered((objects * size) / asked);
  return { up: objects * name + asked * (askByNameBytes + each.up), down: asked * each.down, rounds: asked };
}

function sketchBytes(input: CostInput, { learned, lost }: Difference, told: number): Bytes {
  const apart = learned + lost;
  const answer = answered(learned * told + lost * goneBytes.short);
  const first = askBytes + cellsOverhead + answer.up;
  const down = answer.down + partingBytes;
  const known = input.differences !== undefined;
  const estimated = known ? input.estimated === true : input.unnamed === true;
  const foreseen = estimated ? fromEstimate(apart) : known ? apart : undefined;
  if (foreseen !== undefined) return { up: first + cellsToSend(foreseen) * cellBytes, down, rounds: 1 };
  const blind = first + blindCells * cellBytes + sumsBytes;
  // Half of the sketches of so many elements are told by so many cells.
  if (1.365 * apart + 0.8 * Math.sqrt(apart) + 1 <= blindCells) return { up: blind, down, rounds: 1 };
  // Measured: the store asks for 2.2 times its estimate, less the cells it has, of which the middle is a little lower.
  const more = Math.ceil(1.98 * apart) * cellBytes;
  return { up: blind + more + moreCells.up, down: down + moreCells.down, rounds: 2 };
}

function vectorBytes(scheme: VectorScheme, input: CostInput, difference: Difference, told: number): Bytes {
  const { selects, compresses } = scheme;
  const { learned, gone } = difference;
  const bare = input.want === 'handles';
  const whole = compresses === 'object' || compresses === 'record';
  if (selects !== 'everything') {
    // What the newest objects do not tell is found missing in the end, and everything is compared.
    const missed = selects === 'newest' && difference.lost >= 0.5;
    const after = missed ? answered(input.count * goneBytes.short) : { up: 0, down: 0 };
    const lost = scheme.forgets === 'tombstone' ? gone * goneBytes.handle : 0;
    const corrected = scheme.forgets === 'tombstone' && input.forgotten ? correction : nothing;
    const answer = answered(learned * (whole || bare ? told : elementBytes) + lost);
    const rest = whole || bare ? { up: 0, down: 0, rounds: 0 } : fetched(learned, nameBytes, told);
    return {
      up: askBytes + answer.up + rest.up + after.up + corrected.up,
      down: answer.down + rest.down + after.down + corrected.down,
      rounds: 1 + rest.rounds + (missed ? 2 : 0) + corrected.rounds,
    };
  }
  const size = {
    ...{ object: told, record: told, handle: nameBytes, 'handle-stamp': nameBytes },
    ...{ 'handle-signature': elementBytes, 'short-id': goneBytes.short },
  }[compresses];
  const answer = answered(input.count * size);
  const known = whole || (bare && compresses === 'handle-signature');
  const name = compresses === 'short-id' ? goneBytes.short : nameBytes;
  const rest = known ? { up: 0, down: 0, rounds: 0 } : fetched(learned, name, told);
  return { up: askBytes + 8 + answer.up + rest.up, down: answer.down + rest.down, rounds: 1 + rest.rounds };
}

/** Groups of an object, of data with its bounds, with the signatures of its ends; a request and each group in it. */
const groupBytes = { objects: 34, data: 81, ends: 32, request: 66, own: 32 } as const;
/** Messages below this are compressed; what neighbours have in common is then told once. */
const compressedBelow = 1300;
const compression = { up: 0.55, down: 0.2 } as const;
/** A message of groups with its signature, and one of requests. */
const groupsMessage = 115;
const requestsMessage = 36;
const messageRequests = 128;

/** Measured, with 100 and 1,000 objects appended to 10,000. */
const endAgain = 6.5;

/** How many of `parts` equal parts hold one of `apart` objects or more, standing anywhere. */
const touched = (parts: number, apart: number) => (parts <= 1 ? 1 : parts * (1 - (1 - 1 / parts) ** apart));

/** The bytes of requests and groups told in one round trip. */
function level(requests: number, upEach: number, groups: number, downEach: number): Bytes {
  const [asked, told] = [requests * upEach, groups * downEach];
  const messages = Math.max(1, Math.ceil(requests / messageRequests));
  const each = told / messages;
  return {
    up: asked * (asked / messages < compressedBelow ? compression.up : 1) + messages * requestsMessage,
    // The first groups have nothing before them to be told in terms of.
    down: told * (requests > 0 && each < compressedBelow ? compression.down : 1) + messages * groupsMessage,
    rounds: messages,
  };
}

/** Groups that only the store speaks of: every one that differs is split, down to single objects. */
function sentGroups({ rule }: GroupScheme, count: number, span: number, difference: Difference): Bytes[] {
  const { learned, lost, gone } = difference;
  const updates = lost - gone;
  const inserts = learned - updates;
  const levels = [level(0, 0, rule.opening, groupBytes.data)];
  // Objects at an end of a group are learned with it, and what is gone beside one is seen: neither needs a split.
  let [fresh, missing] = [inserts, gone];
  for (let size = count / rule.opening; size > 1; size /= rule.fanout) {
    fresh *= Math.max(0, 1 - 1.5 / size);
    missing *= Math.max(0, 1 - 0.6 / size);
    const requests = touched(span / size, fresh + missing + updates) * Math.min(1, size - 1);
    if (fresh + missing + updates < 0.5) break;
    levels.push(level(requests, groupBytes.request, requests * rule.fanout, groupBytes.data));
  }
  return levels;
}

/** Groups of which the client tells its own when it asks: two levels in one round trip. */
function comparedGroups({ rule }: GroupScheme, count: number, span: number, apart: number): Bytes[] {
  const { fanout, leaf } = rule;
  const data = groupBytes.data + groupBytes.ends;
  const levels = [level(0, 0, rule.opening, data)];
  if (apart === 0) return levels;
  for (let size = count / rule.opening; ; size /= fanout * fanout) {
    const requests = touched(span / size, apart);
    const inner = size / fanout;
    const unlike = Math.max(requests, touched(span / inner, apart));
    const request = groupBytes.request + Math.min(fanout, size) * groupBytes.own;
    const objects = inner / fanout <= leaf;
    const each = objects
      ? inner * elementBytes + Math.min(fanout, inner) * groupBytes.objects
      : fanout * data;
    levels.push(level(requests, request, unlike, each));
    if (objects) return levels;
  }
}

function groupsTotal(scheme: GroupScheme, input: CostInput, difference: Difference, told: number): Bytes {
  const { learned, gone } = difference;
  const apart = learned + gone;
  // What was appended lies together; everything else anywhere.
  const span = input.appended ? Math.max(1, learned) : input.count;
  const { speaks } = scheme.rule;
  const levels =
    speaks === 'both'
      ? comparedGroups(scheme, input.count, span, apart)
      : sentGroups(scheme, input.count, span, difference);
  // The first group has no neighbour before it and the last none after it.
  const total = { up: askBytes, down: answerBytes + partingBytes - 2 * nameBytes, rounds: 0 };
  for (const { up, down, rounds } of levels) {
    total.up += up;
    total.down += down;
    total.rounds += rounds;
  }
  // Small groups tell the signatures of their objects, and nothing more is to be asked for.
  const rest = speaks === 'both' && input.want === 'handles' ? nothing : fetched(learned, nameBytes, told);
  // Ends of groups are learned as they are told of: most of them early, many together.
  const early = speaks === 'store' ? Math.min(learned, levels.length * 0.1) : 0;
  // Where all is new the ends of each group are told again with the group around it.
  const again = speaks === 'both' && input.appended ? learned * endAgain : 0;
  return {
    up: total.up + rest.up + early * askByNameBytes,
    down: total.down + rest.down + again + early * (answerBytes + signedBytes),
    rounds: total.rounds + rest.rounds + early,
  };
}

/**
 * Predicted bytes, round trips and time of a scheme: the paper's tables (5.5 and 6.3) with our sizes. Of groups
 * an expectation over objects that stand in places of no particular order.
 */
export function estimateCost(scheme: Scheme, input: CostInput): Cost {
  const { want, objectBytes = 4096, link = usualLink } = input;
  const difference = differenceOf(input);
  const told = want === 'handles' ? elementBytes : objectBytes + objectOverhead;
  const run =
    scheme.refines === 'sketch'
      ? sketchBytes(input, difference, told)
      : scheme.refines === 'groups'
        ? groupsTotal(scheme, input, difference, told)
        : vectorBytes(scheme, input, difference, told);
  const named =
    !input.unnamed || scheme.refines === 'nothing'
      ? nothing
      : scheme.refines === 'sketch'
        ? namingWithSums
        : naming;
  const [up, down, rounds] = [run.up + named.up, run.down + named.down, run.rounds + named.rounds];
  const snapshot =
    scheme.refines === 'nothing' && scheme.selects === 'everything' && scheme.compresses === 'object';
  const objects = want === 'handles' ? 0 : snapshot ? input.count : difference.learned;
  const ms = objects * objectMs + rounds * link.roundTripMs + ((up + down) / link.bytesPerSecond) * 1000;
  return { bytesUp: up, bytesDown: down, rounds, ms };
}
