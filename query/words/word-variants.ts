import { CharacterClass, characterClass } from './character-class.ts';

/** Another spelling of a stretch of a text, which is searched as if it were written beside it. */
interface WordVariant {
  readonly text: string;
  /** UTF-16 offsets of the stretch. */
  readonly start: number;
  readonly end: number;
}

// Where a stretch with variants may be: found fast, then judged with its neighbours.
const trigger =
  /[a-zß-öø-ÿ][A-ZÀ-ÖØ-Þ]|[A-ZÀ-ÖØ-Þ]{2}[a-zß-öø-ÿ]|[0-9][A-Za-zµ]|[vV][0-9]|[0-9A-Za-z\u00c0-\uffff][-‐‑][0-9A-Za-z\u00c0-\uffff]|[A-Za-z]['’][A-Za-z]|[0-9],[0-9]{3}/g;

const maxStretch = 96;
const maxJoined = 40;
const maxParts = 10;
/** Shorter parts on average are those of random letters, such as encoded bytes. */
const minPartLength = 2.6;

const signs: ReadonlySet<number> = new Set(Array.from("_-‐‑'’.", (sign) => sign.charCodeAt(0)));

const comma = 44;
const isDigit = (code: number) => code >= 48 && code <= 57;

function belongs(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === comma) return isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
  if (signs.has(code)) return true;
  if (code < 128) return (code | 32) >= 97 ? (code | 32) <= 122 && code !== 95 : isDigit(code);
  const kind = characterClass(code);
  return kind === CharacterClass.word || kind === CharacterClass.joiner;
}

const camel = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u;
const identifier = /[\p{L}\p{M}\p{N}_]+/gu;
const seams = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
// At most three parts: a longer chain is a name or a number that nobody joins.
const hyphened =
  /(?<![-‐‑_\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]+(?:[-‐‑][\p{L}\p{M}\p{N}]+){1,2}(?![-‐‑_\p{L}\p{M}\p{N}])/gu;
const version = /(?<![-_.\p{L}\p{N}])[vV](?=\d+(?:\.\d+)+)[\d.]*\d/gu;
const measure =
  /(?<![-_.\p{L}\p{N}]|\d,)\d+(?:\.\d+)?(?!st\b|nd\b|rd\b|th\b)[A-Za-zµ]{1,4}(?![-_\p{L}\p{N}])/gu;
const elided = /(?<![\p{L}\p{N}])(?:[Oo]['’]\p{L}{2,}|\p{L}{1,10}n['’]t)(?![\p{L}\p{N}])/gu;

const grouped = /(?<![-_.,\p{L}\p{N}])\d{1,3}(?:,\d{3})+(?![-_\p{L}\p{N}]|,\d)/gu;

const joined = (text: string) => text.replace(/[-‐‑'’,]/g, '');

/** What each kind of stretch is also written as; undefined: nothing else. */
const kinds: readonly (readonly [RegExp, (found: string) => string | undefined])[] = [
  [
    identifier,
    (name) => {
      if (!camel.test(name)) return undefined;
      const parts = name.split(seams).filter((part) => part !== '');
      const isWords = parts.length <= maxParts && name.length >= minPartLength * parts.length;
      return parts.length > 1 && isWords ? parts.join(' ') : undefined;
    },
  ],
  [hyphened, (chain) => (/\p{L}/u.test(chain) && chain.length <= maxJoined ? joined(chain) : undefined)],
  [version, (release) => release.slice(1)],
  [measure, (quantity) => quantity.replace(/(?<=\d)(?=[^\d.])/, ' ')],
  [elided, joined],
  [grouped, joined],
];

/** The start and end of each stretch around a match of `trigger` (global), as far as characters belong to it; in linear time. */
export function* stretchesOf(
  text: string,
  trigger: RegExp,
  belongs: (text: string, at: number) => boolean,
): Generator<readonly [start: number, end: number]> {
  let passed = 0;
  trigger.lastIndex = 0;
  for (let found = trigger.exec(text); found !== null; found = trigger.exec(text)) {
    let start = found.index;
    while (start > passed && belongs(text, start - 1)) start--;
    let end = found.index + 1;
    while (end < text.length && belongs(text, end)) end++;
    passed = end;
    yield [start, end];
    // The generator may be left and another begun between two steps.
    trigger.lastIndex = end;
  }
}

/**
 * The variants of a text: the parts of `getUserName`, the joined form of `wi-fi`, `O'Reilly` and `don't`, the
 * number of `v1.2`, `10 kg` for `10kg`, and `1000` for `1,000`. A stretch has no blanks. Takes time linear in the text.
 */
export function* variantsOf(text: string): Generator<WordVariant> {
  for (const [start, end] of stretchesOf(text, trigger, belongs)) {
    if (end - start > maxStretch) continue;
    const stretch = text.slice(start, end);
    for (const [pattern, variant] of kinds)
      for (const match of stretch.matchAll(pattern)) {
        const other = variant(match[0]);
        const from = start + match.index;
        if (other !== undefined) yield { text: other, start: from, end: from + match[0].length };
      }
  }
}
