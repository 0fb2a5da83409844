import { scanWords } from '../analysis.ts';
import type { CharSet } from './char-set.ts';
import type { RegexTree } from './syntax.ts';
import { fewMembers } from './unicode-classes.ts';

// A text is told by few alternatives: more would match nearly everything.
const mostTexts = 16;
const mostLetters = 8;
const longestText = 64;

/** What is known of the texts that a part matches, in small letters. */
interface Known {
  /** Exactly these, when they are few. */
  readonly exact: readonly string[] | undefined;
  /** Each holds one of these; undefined: nothing is known. */
  readonly held: readonly string[] | undefined;
}

const nothing: Known = { exact: undefined, held: undefined };

/** See `Regex.wordFragments`. The idea is that of Russ Cox's trigram queries for code search (2012). */
export function wordFragments(tree: RegexTree): readonly string[] | undefined {
  const { exact, held } = know(tree);
  return better(fragmentsOf(exact), fragmentsOf(held));
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
      if (node.most === 0) return { exact: [''], held: undefined };
      if (node.least === 0) {
        const maybe = node.most === 1 && once.exact !== undefined ? ['', ...once.exact] : undefined;
        return { exact: maybe, held: undefined };
      }
      let known = once;
      const copies = Math.min(node.least, longestText);
      for (let copy = 1; copy < copies && known.exact !== undefined; copy++) known = concat([known, once]);
      if (node.most === node.least && copies === node.least) return known;
      return { exact: undefined, held: better(fragmentsOf(known.exact), fragmentsOf(known.held)) };
    }
  }
}

function knownSet(set: CharSet): Known {
  const members = fewMembers(set, mostLetters);
  if (members === undefined) return nothing;
  return { exact: [...new Set(members.map(letterOf))], held: undefined };
}

/** Exactly known parts are joined as long as they follow each other. */
function concat(parts: readonly Known[]): Known {
  let run: readonly string[] = [''];
  let held: Texts;
  let isExact = true;
  for (const part of parts) {
    held = better(held, part.held);
    const joined = part.exact === undefined ? undefined : joinedTexts(run, part.exact);
    if (joined !== undefined) {
      run = joined;
      continue;
    }
    isExact = false;
    held = better(held, fragmentsOf(run));
    run = part.exact ?? [''];
  }
  return isExact ? { exact: run, held } : { exact: undefined, held: better(held, fragmentsOf(run)) };
}

function joinedTexts(a: readonly string[], b: readonly string[]): readonly string[] | undefined {
  const joined = [...new Set(a.flatMap((left) => b.map((right) => left + right)))];
  return joined.length <= mostTexts && joined.every((text) => text.length <= longestText)
    ? joined
    : undefined;
}

function either(a: Known, b: Known): Known {
  const both =
    a.exact !== undefined && b.exact !== undefined ? [...new Set([...a.exact, ...b.exact])] : undefined;
  const left = better(a.held, fragmentsOf(a.exact));
  const right = better(b.held, fragmentsOf(b.exact));
  const held = left !== undefined && right !== undefined ? [...new Set([...left, ...right])] : undefined;
  return {
    exact: both !== undefined && both.length <= mostTexts ? both : undefined,
    held: held !== undefined && held.length <= 4 * mostTexts ? held : undefined,
  };
}

type Texts = readonly string[] | undefined;

/** Of two sets that are both right, the one whose shortest text is longer, then the smaller one. */
function better(a: Texts, b: Texts): Texts {
  if (a === undefined || b === undefined) return a ?? b;
  const shortest = (texts: readonly string[]) => Math.min(...texts.map((text) => text.length));
  const difference = shortest(a) - shortest(b);
  if (difference !== 0) return difference > 0 ? a : b;
  return a.length <= b.length ? a : b;
}

// Digits, and letters of scripts whose words are normalised letter by letter.
const plain = /(?:[0-9]|(?=[\p{L}\p{N}])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])+/gu;
const marks = /\p{M}/gu;

/** The longest piece of a word in each text; undefined when one has none. */
function fragmentsOf(texts: Texts): Texts {
  if (texts === undefined || texts.length === 0) return undefined;
  const fragments = new Set<string>();
  for (const text of texts) {
    const longest = (text.match(plain) ?? []).reduce(
      (best, piece) => (piece.length > best.length ? piece : best),
      '',
    );
    let normal = '';
    scanWords(longest, (word) => {
      normal = word;
      return true;
    });
    if (normal === '') return undefined;
    fragments.add(normal);
  }
  return [...fragments];
}

/** A letter as it is when a word of it is normalised. */
function letterOf(code: number): string {
  const letter = String.fromCodePoint(code).toLowerCase();
  plain.lastIndex = 0;
  return plain.test(letter) ? letter.normalize('NFKD').replace(marks, '') : letter;
}
