import type { Scheme } from './scheme.ts';
import { cellBytes } from './sketch.ts';
import { cellsToSend } from './sketch-refinement.ts';
import type { Want } from './statements.ts';

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
  /** Whether only what was added is expected to be new. */
  readonly appended?: boolean;
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
const usualLink: Link = { roundTripMs: 40, bytesPerSecond: 2_000_000 };

export interface Cost {
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly rounds: number;
  /** Predicted time of the whole. */
  readonly ms: number;
}

/** Bytes of a request, and of what an answer says beside its elements, framing included. */
const askBytes = 60;
const answerBytes = 60;
const frameBytes = 12;
const messageBytes = 65_536;
const goneBytes = { handle: 16, short: 6 } as const;
const objectOverhead = 90;

const framed = (bytes: number) => bytes + Math.ceil(bytes / messageBytes) * frameBytes;

function split({ count, held, changes, differences }: CostInput): {
  readonly learned: number;
  readonly lost: number;
} {
  // Of a store about whose history nothing is known most is taken to be what it was.
  const apart = differences ?? changes ?? Math.min(count + held, 1 + count / 20);
  const grown = Math.max(0, count - held);
  const shrunk = Math.max(0, held - count);
  const rest = Math.max(0, apart - grown - shrunk) / 2;
  return { learned: grown + rest, lost: shrunk + rest };
}

/** Groups that are told when `apart` objects out of `count` stand in places of no particular order. */
function groupsTold(count: number, apart: number, fanout: number, leaf: number): number {
  let groups = 1;
  let size = count;
  while (size > leaf) {
    const parts = count / size;
    const touched = parts * (1 - (1 - 1 / parts) ** apart);
    groups += Math.min(touched, apart) * fanout;
    size /= fanout;
  }
  return groups;
}

/** Predicted bytes, round trips and time of a scheme: the paper's tables (5.5 and 6.3) with our sizes. */
export function estimateCost(scheme: Scheme, input: CostInput): Cost {
  const { count, want, objectBytes = 4096, link = usualLink } = input;
  const { learned, lost } = split(input);
  const body = want === 'handles' ? 0 : objectBytes + objectOverhead;
  const told = want === 'handles' ? 32 : body;
  const fetched = want === 'handles' ? 0 : learned * (16 + body);
  let [up, down, rounds] = [askBytes, answerBytes, 1];
  if (scheme.refines === 'sketch') {
    const known = input.differences;
    const cells = cellsToSend(known) + (known === undefined ? Math.ceil(1.75 * (learned + lost)) : 0);
    up += framed(cells * cellBytes) + (known === undefined ? 96 : 0);
    down += framed(learned * told + lost * goneBytes.short);
    rounds = known === undefined ? 2 : 1;
  } else if (scheme.refines === 'groups') {
    const { fanout, leaf } = scheme.rule;
    const groups = groupsTold(count, learned + lost, fanout, leaf);
    down += framed(groups * 82);
    up += framed((groups / fanout) * (scheme.rule.speaks === 'both' ? 66 + fanout * 32 : 66));
    rounds = Math.ceil(Math.log(Math.max(2, count)) / Math.log(fanout)) + (fetched > 0 ? 1 : 0);
    down += fetched;
  } else {
    const { selects, compresses } = scheme;
    const everything = selects === 'everything';
    const size = {
      object: told,
      record: told,
      handle: 16,
      'handle-stamp': 16,
      'handle-signature': 32,
      'short-id': 6,
    };
    const listed = everything ? count : learned;
    const whole = compresses === 'object' || compresses === 'record';
    const element = whole || want !== 'handles' || everything ? size[compresses] : 32;
    down += framed(listed * element + (everything ? 0 : lost * goneBytes.handle)) + (whole ? 0 : fetched);
    rounds = whole || fetched === 0 ? 1 : 2;
  }
  return {
    bytesUp: up,
    bytesDown: down,
    rounds,
    ms: rounds * link.roundTripMs + ((up + down) / link.bytesPerSecond) * 1000,
  };
}
