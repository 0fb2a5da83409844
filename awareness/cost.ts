import type { Want } from './protocol-messages.ts';
import type { GroupScheme, Scheme, VectorScheme } from './scheme.ts';
import { cellBytes } from './sketch.ts';
import { cellsToSend, fromEstimate } from './sketch-refinement.ts';

/** The input of a choice between schemes. */
export interface CostInput {
  /** Objects in the store, and in the client's copy. */
  readonly count: number;
  readonly held: number;
  /** Changes since the client's marker, or undefined where it has none. */
  readonly changes: number | undefined;
  readonly want: Want['kind'];
  /** Elements in which the two sets are expected to differ, from a hint or from history. */
  readonly differences?: number | undefined;
  /** Whether only additions are expected, which lie together in every order. */
  readonly appended?: boolean;
  /** The store has forgotten deletions since the client's marker: its changes are incomplete. */
  readonly forgotten?: boolean;
  /** The number of differences is an estimate: a client sends more cells than a sketch of so many needs. */
  readonly estimated?: boolean;
  /** The client has named no scheme: a scheme with questions is named to it first, and then requested. */
  readonly unnamed?: boolean;
  /** Mean bytes of an object on the wire. */
  readonly objectBytes?: number;
  readonly link?: Link;
}

/** The link between two servers. */
export interface Link {
  readonly roundTripMs: number;
  readonly bytesPerSecond: number;
}

/** A server elsewhere on the Internet. */
export const usualLink: Link = { roundTripMs: 40, bytesPerSecond: 2_000_000 };

/** What a run of a scheme is expected to take: bytes on the wire each way, and round trips. */
export interface Cost {
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly rounds: number;
  /** Predicted time of the whole. */
  readonly ms: number;
}

// Sizes on the wire in bytes, framing and compression included, as measured on an open session.
const askBytes = 44;
const answerBytes = 37;
/** The additional bytes of an answer with elements: their names and the store's signature. */
const signedBytes = 96;
/** The signature of an answer without elements. */
const endBytes = 58;
/** Each further message of the same answer, with its signature and the credit for it. */
const messageOverhead = { up: 6, down: 125 } as const;
const messageBytes = 65_536;
/** Objects requested by name in one request. */
const fetchStep = 512;
const askByNameBytes = 41;
/** The additional bytes of a request with cells, and of one with the sums of the whole set. */
const cellsOverhead = 20;
const sumsBytes = 96;
const moreCells = { up: 30, down: 21 } as const;
/** The end of a conversation in which the client may speak last. */
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
  /** Objects that were deleted: the lost elements that nothing replaces. */
  readonly deleted: number;
}

/** The expected difference. Half of the changes that leave the number as it is are assumed to be updates. */
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
    // Without any known history the store is assumed to be mostly unchanged.
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
    deleted: shrunk + exchanged,
  };
}

interface Bytes {
  up: number;
  down: number;
  rounds: number;
}

/** Milliseconds to check and store an object that comes whole. */
const objectMs = 0.25;

const nothing: Bytes = { up: 0, down: 0, rounds: 0 };

/** The answer that names a scheme with questions, which the client then requests. */
const naming: Bytes = { up: askBytes, down: answerBytes + endBytes, rounds: 1 };
/** With the sums of the store's set, from which the client computes how many cells to send. */
const namingWithSums: Bytes = { ...naming, down: naming.down + sumsBytes };

/** A few deletions that the log did not send: the fingerprint shows them, and a sketch names them. */
const correction: Bytes = {
  up: askBytes + cellsOverhead + blindCells * cellBytes + sumsBytes,
  down: answerBytes + signedBytes + partingBytes,
  rounds: 1,
};

/** An answer with so many bytes of elements. */
function answered(elements: number): { readonly up: number; readonly down: number } {
  if (elements === 0) return { up: 0, down: answerBytes + endBytes };
  const further = Math.ceil(elements / messageBytes) - 1;
  const down = answerBytes + signedBytes + elements + further * messageOverhead.down;
  return { up: further * messageOverhead.up, down };
}

/** Objects requested by names of `name` bytes. */
function fetched(objects: number, name: number, size: number): Bytes {
  if (objects === 0) return nothing;
  const requests = Math.ceil(objects / fetchStep);
  const each = answered((objects * size) / requests);
  return {
    up: objects * name + requests * (askByNameBytes + each.up),
    down: requests * each.down,
    rounds: requests,
  };
}

function sketchBytes(input: CostInput, { learned, lost }: Difference, sent: number): Bytes {
  const apart = learned + lost;
  const answer = answered(learned * sent + lost * goneBytes.short);
  const first = askBytes + cellsOverhead + answer.up;
  const down = answer.down + partingBytes;
  const known = input.differences !== undefined;
  const estimated = known ? input.estimated === true : input.unnamed === true;
  const foreseen = estimated ? fromEstimate(apart) : known ? apart : undefined;
  if (foreseen !== undefined) return { up: first + cellsToSend(foreseen) * cellBytes, down, rounds: 1 };
  const blind = first + blindCells * cellBytes + sumsBytes;
  // So many cells suffice for half of the sketches of so many elements.
  if (1.365 * apart + 0.8 * Math.sqrt(apart) + 1 <= blindCells) return { up: blind, down, rounds: 1 };
  // Measured: the store requests 2.2 times its estimate, less the cells it has; the median is a little lower.
  const more = Math.ceil(1.98 * apart) * cellBytes;
  return { up: blind + more + moreCells.up, down: down + moreCells.down, rounds: 2 };
}

function vectorBytes(scheme: VectorScheme, input: CostInput, difference: Difference, sent: number): Bytes {
  const { selects, compresses } = scheme;
  const { learned, deleted } = difference;
  const bare = input.want === 'handles';
  const whole = compresses === 'object' || compresses === 'record';
  if (selects !== 'everything') {
    // Deletions that the newest objects do not show are found at the end, and then everything is compared.
    const missed = selects === 'newest' && difference.lost >= 0.5;
    const after = missed ? answered(input.count * goneBytes.short) : { up: 0, down: 0 };
    const lost = scheme.forgets === 'tombstone' ? deleted * goneBytes.handle : 0;
    const corrected = scheme.forgets === 'tombstone' && input.forgotten ? correction : nothing;
    const answer = answered(learned * (whole || bare ? sent : elementBytes) + lost);
    const rest = whole || bare ? { up: 0, down: 0, rounds: 0 } : fetched(learned, nameBytes, sent);
    return {
      up: askBytes + answer.up + rest.up + after.up + corrected.up,
      down: answer.down + rest.down + after.down + corrected.down,
      rounds: 1 + rest.rounds + (missed ? 2 : 0) + corrected.rounds,
    };
  }
  const size = {
    ...{ object: sent, record: sent, handle: nameBytes, 'handle-stamp': nameBytes },
    ...{ 'handle-signature': elementBytes, 'short-id': goneBytes.short },
  }[compresses];
  const answer = answered(input.count * size);
  const known = whole || (bare && compresses === 'handle-signature');
  const name = compresses === 'short-id' ? goneBytes.short : nameBytes;
  const rest = known ? { up: 0, down: 0, rounds: 0 } : fetched(learned, name, sent);
  return { up: askBytes + 8 + answer.up + rest.up, down: answer.down + rest.down, rounds: 1 + rest.rounds };
}

/** Bytes of an object in a group, of data with its bounds, of signed ends, of a request and a group in it. */
const groupBytes = { objects: 34, data: 81, ends: 32, request: 66, own: 32 } as const;
/** Messages below this size are compressed; neighbours then send their common part once. */
const compressedBelow = 1300;
const compression = { up: 0.55, down: 0.2 } as const;
/** A message of groups with its signature, and one of requests. */
const groupsMessage = 115;
const requestsMessage = 36;
const messageRequests = 128;

/** Measured, with 100 and 1,000 objects appended to 10,000. */
const endAgain = 6.5;

/** How many of `parts` equal parts hold one or more of `apart` objects at random places. */
const touched = (parts: number, apart: number) => (parts <= 1 ? 1 : parts * (1 - (1 - 1 / parts) ** apart));

/** The bytes of requests and groups in one round trip. */
function level(requests: number, upEach: number, groups: number, downEach: number): Bytes {
  const [asking, answering] = [requests * upEach, groups * downEach];
  const messages = Math.max(1, Math.ceil(requests / messageRequests));
  const each = answering / messages;
  return {
    up: asking * (asking / messages < compressedBelow ? compression.up : 1) + messages * requestsMessage,
    // The first groups follow no other message and so compress badly.
    down:
      answering * (requests > 0 && each < compressedBelow ? compression.down : 1) + messages * groupsMessage,
    rounds: messages,
  };
}

/** Groups of which only the store sends data: each one that differs is split, down to single objects. */
function sentGroups({ rule }: GroupScheme, count: number, span: number, difference: Difference): Bytes[] {
  const { learned, lost, deleted } = difference;
  const updates = lost - deleted;
  const inserts = learned - updates;
  const levels = [level(0, 0, rule.opening, groupBytes.data)];
  // Objects at an end of a group are learned with it, and a deletion beside one is seen: neither needs a split.
  let [fresh, missing] = [inserts, deleted];
  for (let size = count / rule.opening; size > 1; size /= rule.fanout) {
    fresh *= Math.max(0, 1 - 1.5 / size);
    missing *= Math.max(0, 1 - 0.6 / size);
    const requests = touched(span / size, fresh + missing + updates) * Math.min(1, size - 1);
    if (fresh + missing + updates < 0.5) break;
    levels.push(level(requests, groupBytes.request, requests * rule.fanout, groupBytes.data));
  }
  return levels;
}

/** Groups for which the client sends its own data with a request: two levels in one round trip. */
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

function groupsTotal(scheme: GroupScheme, input: CostInput, difference: Difference, sent: number): Bytes {
  const { learned, deleted } = difference;
  const apart = learned + deleted;
  // Appended objects lie together; all others lie anywhere.
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
  // Small groups carry the signatures of their objects, and no further request is needed.
  const rest = speaks === 'both' && input.want === 'handles' ? nothing : fetched(learned, nameBytes, sent);
  // Ends of groups are learned as they arrive: nearly all of them early, many together.
  const early = speaks === 'store' ? Math.min(learned, levels.length * 0.1) : 0;
  // Where all is new the ends of each group are sent again with the group around it.
  const again = speaks === 'both' && input.appended ? learned * endAgain : 0;
  return {
    up: total.up + rest.up + early * askByNameBytes,
    down: total.down + rest.down + again + early * (answerBytes + signedBytes),
    rounds: total.rounds + rest.rounds + early,
  };
}

/**
 * Predicted bytes, round trips and milliseconds of a scheme: the paper's tables (5.5 and 6.3) with our sizes. For
 * groups it is the expectation over objects at random places.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { estimateCost, schemes } from 'garner/awareness';
 *
 * // 50 of 100,000 objects have changed since the copy was made.
 * const costs = schemes.map((scheme) => ({
 *   name: scheme.name,
 *   ...estimateCost(scheme, { count: 100_000, held: 100_000, changes: 50, want: 'objects' }),
 * }));
 * const bytes = (name) => costs.find((cost) => cost.name === name)?.bytesDown ?? 0;
 * assert.ok(1000 * bytes('log') < bytes('simple-snapshot'));
 */
export function estimateCost(scheme: Scheme, input: CostInput): Cost {
  const { want, objectBytes = 4096, link = usualLink } = input;
  const difference = differenceOf(input);
  const sent = want === 'handles' ? elementBytes : objectBytes + objectOverhead;
  const run =
    scheme.refines === 'sketch'
      ? sketchBytes(input, difference, sent)
      : scheme.refines === 'groups'
        ? groupsTotal(scheme, input, difference, sent)
        : vectorBytes(scheme, input, difference, sent);
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
