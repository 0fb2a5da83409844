import { scanWords } from '../words/index.ts';
import type { CharSet } from './char-set.ts';
import type { RegexTree } from './syntax.ts';
import { fewMembers } from './unicode-classes.ts';

// Max alternatives: an expression with more would match nearly every text.
const maxTexts = 16;
const maxLetters = 8;
const maxTextLength = 64;
/** Max pieces of one expression. */
const maxPieces = 64;

/** A condition on the words of every matching text: a piece of a normalised word, or all or one of these. */
export type LiteralPlan =
  | { readonly kind: 'piece'; readonly text: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly LiteralPlan[] };

/** Undefined: nothing is known. */
type Plan = LiteralPlan | undefined;

/** Conditions known of the texts that a part matches, in lower case. */
interface Known {
  /** Exactly these, when they are few. */
  readonly exact: readonly string[] | undefined;
  readonly held: Plan;
}

const nothing: Known = { exact: undefined, held: undefined };

/** See `Regex.literals`. The idea is that of Russ Cox's trigram queries for code search (2012). */
export function literalsOf(tree: RegexTree): LiteralPlan | undefined {
  const { exact, held } = know(tree);
  return worthwhile(all([planOf(exact), held]));
}

export function piecesIn(plan: LiteralPlan): string[] {
  const found = new Set<string>();
  const visit = (part: LiteralPlan): void => {
    if (part.kind === 'piece') found.add(part.text);
    else part.parts.forEach(visit);
  };
  visit(plan);
  return [...found];
}

/** Joins sets of any kind. */
export interface SetAlgebra<Holders> {
  readonly intersect: (a: Holders, b: Holders) => Holders;
  readonly unite: (a: Holders, b: Holders) => Holders;
}

/** The candidates that a plan selects from the sets of its pieces; undefined where nothing is known. */
export function combineLiterals<Holders>(
  plan: LiteralPlan,
  holdersOf: (piece: string) => Holders | undefined,
  sets: SetAlgebra<Holders>,
): Holders | undefined {
  if (plan.kind === 'piece') return holdersOf(plan.text);
  const found: Holders[] = [];
  for (const part of plan.parts) {
    const holders = combineLiterals(part, holdersOf, sets);
    if (holders !== undefined) found.push(holders);
    else if (plan.kind === 'any') return undefined;
  }
  return found.length === 0 ? undefined : found.reduce(plan.kind === 'all' ? sets.intersect : sets.unite);
}

function know(node: RegexTree): Known {
  switch (node.kind) {
    case 'set':
      return knownSet(node.set);
    case 'assertion':
      return { exact: [''], held: undefined };
    case 'concat':
      return concat(node.parts.map(know));
    case 'either':
      return node.parts.map(know).reduce(either);
    case 'repeat': {
      const once = know(node.part);
      if (node.max === 0) return { exact: [''], held: undefined };
      if (node.min === 0) {
        const maybe = node.max === 1 && once.exact !== undefined ? ['', ...once.exact] : undefined;
        return { exact: maybe, held: undefined };
      }
      let known = once;
      const copies = Math.min(node.min, maxTextLength);
      for (let copy = 1; copy < copies && known.exact !== undefined; copy++) known = concat([known, once]);
      if (node.max === node.min && copies === node.min) return known;
      return { exact: undefined, held: all([planOf(known.exact), known.held]) };
    }
  }
}

function knownSet(set: CharSet): Known {
  const members = fewMembers(set, maxLetters);
  if (members === undefined) return nothing;
  return { exact: [...new Set(members.map(letterOf))], held: undefined };
}

/** Exactly known parts are joined as long as they follow each other. */
function concat(parts: readonly Known[]): Known {
  let run: readonly string[] = [''];
  const held: Plan[] = [];
  let isExact = true;
  for (const part of parts) {
    held.push(part.held);
    const joined = part.exact === undefined ? undefined : joinedTexts(run, part.exact);
    if (joined !== undefined) {
      run = joined;
      continue;
    }
    isExact = false;
    held.push(planOf(run));
    run = part.exact ?? [''];
  }
  if (isExact) return { exact: run, held: all(held) };
  return { exact: undefined, held: all([...held, planOf(run)]) };
}

function joinedTexts(a: readonly string[], b: readonly string[]): readonly string[] | undefined {
  const joined = [...new Set(a.flatMap((left) => b.map((right) => left + right)))];
  return joined.length <= maxTexts && joined.every((text) => text.length <= maxTextLength)
    ? joined
    : undefined;
}

function either(a: Known, b: Known): Known {
  const both =
    a.exact !== undefined && b.exact !== undefined ? [...new Set([...a.exact, ...b.exact])] : undefined;
  if (both !== undefined && both.length <= maxTexts) return { exact: both, held: any([a.held, b.held]) };
  return {
    exact: undefined,
    held: any([all([a.held, planOf(a.exact)]), all([b.held, planOf(b.exact)])]),
  };
}

/** One plan of parts of the same kind, each once. */
function joinedPlan(kind: 'all' | 'any', parts: readonly LiteralPlan[]): LiteralPlan {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const different = [...new Map(flat.map((part) => [JSON.stringify(part), part])).values()];
  const pieces = different.flatMap((part) => (part.kind === 'piece' ? [part.text] : []));
  // A text that holds the longer of two pieces holds the one within it.
  const isImplied = (text: string) =>
    pieces.some((one) => one !== text && (kind === 'all' ? one.includes(text) : text.includes(one)));
  const distinct = different.filter((part) => part.kind !== 'piece' || !isImplied(part.text));
  return distinct.length === 1 ? (distinct[0] as LiteralPlan) : { kind, parts: distinct };
}

/** The condition when all of these hold: known conditions, the longest pieces first, up to the maximum. */
function all(plans: readonly Plan[]): Plan {
  const known = plans.filter((plan) => plan !== undefined);
  if (known.length === 0) return undefined;
  const joined = joinedPlan('all', known);
  if (joined.kind !== 'all') return joined;
  let pieces = 0;
  const parts = [...joined.parts]
    .sort((a, b) => shortest(b) - shortest(a))
    .filter((part, at) => {
      pieces += piecesIn(part).length;
      return at === 0 || pieces <= maxPieces;
    });
  return joinedPlan('all', parts);
}

/** The condition when one of these holds; unknown when one of them is unknown. */
function any(plans: readonly Plan[]): Plan {
  const known = plans.filter((plan) => plan !== undefined);
  if (known.length < plans.length) return undefined;
  const joined = joinedPlan('any', known);
  return piecesIn(joined).length <= maxPieces ? joined : undefined;
}

/** Letters of the shortest piece that can suffice for a match. */
function shortest(plan: LiteralPlan): number {
  if (plan.kind === 'piece') return plan.text.length;
  const lengths = plan.parts.map(shortest);
  return plan.kind === 'all' ? Math.max(...lengths) : Math.min(...lengths);
}

/** Without parts that nearly every text has, when there are others: looking those up takes long. */
function worthwhile(plan: Plan): Plan {
  if (plan === undefined || plan.kind === 'piece') return plan;
  const parts = plan.parts.map((part) => worthwhile(part) as LiteralPlan);
  if (plan.kind === 'any') return { kind: 'any', parts };
  const telling = parts.filter((part) => shortest(part) >= minLetters);
  return joinedPlan('all', telling.length > 0 ? telling : parts.slice(0, 1));
}

const minLetters = 3;

// Digits, and letters of scripts whose words are normalised letter by letter.
const plain = /(?:[0-9]|(?=[\p{L}\p{N}])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])+/gu;
const marks = /\p{M}/gu;

/** The pieces of words that every one of these texts has; undefined when one has none. */
function planOf(texts: readonly string[] | undefined): Plan {
  if (texts === undefined) return undefined;
  return any(
    texts.map((text) =>
      all((text.match(plain) ?? []).map(normalPiece).filter((piece) => piece !== undefined)),
    ),
  );
}

function normalPiece(text: string): LiteralPlan | undefined {
  let normal = '';
  scanWords(text, (word) => {
    normal = word;
    return true;
  });
  return normal === '' ? undefined : { kind: 'piece', text: normal };
}

/** A letter in its normalised form. */
function letterOf(code: number): string {
  const letter = String.fromCodePoint(code).toLowerCase();
  plain.lastIndex = 0;
  return plain.test(letter) ? letter.normalize('NFKD').replace(marks, '') : letter;
}
