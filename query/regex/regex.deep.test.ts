import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { queryErrors } from '../errors.ts';
import { analyse } from '../words/analysis.ts';
import { combineLiterals, type LiteralPlan } from './literals.ts';
import { Regex } from './regex.ts';
import { regexBounds } from './syntax.ts';

const runs = Number(process.env.GARNER_TEST_QUERIES ?? 900);

// The syntax of Garner in that of the standard library, which distinguishes letters of other scripts from
// other characters.
const word = '[\\p{L}\\p{N}\\p{M}_]';
const theirs = (pattern: string) =>
  pattern
    .replaceAll('[^\\w]', `[^${word.slice(1)}`)
    .replaceAll('\\w', word)
    .replaceAll('\\b', `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`)
    .replaceAll('\\B', `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`);
const oracle = (pattern: string, caseMatters: boolean, flags = '') =>
  new RegExp(theirs(pattern), `${caseMatters ? 'mu' : 'miu'}${flags}`);

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    'é',
    'K',
    '😀',
    '.',
    '[ab]',
    '[^a]',
    '[a-c1]',
    '\\d',
    '\\w',
    '\\s',
    '\\n',
    '\\.',
    '[\\s\\d]',
  ],
  ...['^', '$', '\\b', '\\B', '', '[^\\w]', '\\u0061', '[k-mſ]'],
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'regex' },
    atom,
    fc.array(tie('pattern'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join('|')})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '{0}'))
      .map(([part, times]) => `(?:${part})${times}`),
  ),
}));
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      'é',
      'É',
      'k',
      '\u212a',
      'ſ',
      '😀',
      '1',
      ' ',
      '\n',
      '.',
      '_',
      '\ud800',
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

/** The expression, or undefined when it is too large or empty. */
function ours(source: string, caseMatters: boolean): Regex | undefined {
  try {
    return new Regex(source, { case: caseMatters });
  } catch (error) {
    assert.ok(isGarnerError(error, queryErrors.QUERY_REGEX), String(error));
    return undefined;
  }
}

test('an expression matches the texts that the standard library says it does', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (source, texts, exact) => {
        const regex = ours(source, exact);
        fc.pre(regex !== undefined);
        const expected = oracle(source, exact);
        // The standard library finds the places of \B inside of a pair of surrogates, too.
        const sure = texts.filter((one) => !source.includes('\\B') || !/[\u{10000}-\u{10ffff}]/u.test(one));
        for (const one of sure)
          assert.equal(regex.test(one), expected.test(one), JSON.stringify([source, one]));
      },
    ),
    { numRuns: runs },
  );
});

/** The leftmost of the longest matches of at least one character, by trying every piece of the text. */
function longestMatches(source: string, exact: boolean, text: string): [number, number][] {
  const found: [number, number][] = [];
  // Only without places, which mean lines in one and the whole text in the other.
  const exactly = new RegExp(`^(?:${theirs(source)})$`, exact ? 'u' : 'iu');
  const isInside = (at: number) =>
    text.codePointAt(at - 1) !== undefined && (text.codePointAt(at - 1) as number) > 0xffff;
  for (let start = 0; start < text.length; start++) {
    if (isInside(start)) continue;
    for (let end = text.length; end > start; end--) {
      if (isInside(end)) continue;
      if (!exactly.test(text.slice(start, end))) continue;
      found.push([start, end]);
      start = end - 1;
      break;
    }
  }
  return found;
}

test('matches are found from left to right, each as long as it can be', () => {
  const placeless = pattern.filter((source) => !/[$^]|\\[bB]/.test(source.replaceAll('[^', '')));
  fc.assert(
    fc.property(placeless, text, fc.boolean(), (source, one, exact) => {
      const regex = ours(source, exact);
      fc.pre(regex !== undefined);
      const found: [number, number][] = [];
      regex.search(one, (_, start, end) => {
        found.push([start, end]);
        return false;
      });
      assert.deepEqual(found, longestMatches(source, exact, one), JSON.stringify([source, one]));
    }),
    { numRuns: runs / 2 },
  );
});

test('letters are the same in all their cases, in every script', () => {
  const cased: number[] = [];
  for (let code = 0x41; code < 0x1_e944; code++) {
    if (code >= 0x2e00 && code < 0xa640) continue;
    if (code >= 0xabc0 && code < 0xfb00) continue;
    const letter = String.fromCodePoint(code);
    if (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter) cased.push(code);
  }
  const all = cased.map((code) => String.fromCodePoint(code));
  for (const letter of all.filter((_, at) => at % 7 === 0)) {
    const [regex, expected] = [new Regex(letter), new RegExp(letter, 'iu')];
    const variants = new Set([
      letter.toLowerCase(),
      letter.toUpperCase(),
      'k',
      's',
      'K',
      'S',
      'ß',
      'i',
      'ı',
      'İ',
    ]);
    for (const variant of variants)
      assert.equal(regex.test(variant), expected.test(variant), `${letter} ${variant}`);
  }
});

test('a malformed, unsupported or too large expression is an error with its reason', () => {
  const bad: [string, RegExp][] = [
    ['', /empty/],
    ['a(b', /not closed/],
    ['a)b', /has no \( before it/],
    ['[a', /not closed/],
    ['*a', /nothing that \*/],
    ['a**', /repetition is repeated/],
    ['a{2}{3}', /repetition is repeated/],
    ['{2}', /nothing that \{/],
    ['a{x}', /begins no repetition/],
    ['a{3,2}', /ends before/],
    ['^*', /place between/],
    ['\\b+', /place between/],
    ['a\\', /backslash/],
    ['(a)\\1', /is not supported/],
    ['(?=a)', /not supported/],
    ['(?<x>a)', /not supported/],
    ['\\p{L}', /\\p is not supported/],
    ['[z-a]', /before it begins/],
    ['[\\d-z]', /from one character to another/],
    ['a{1000}b{1000}', /more than 1024 states/],
    ['((a{50}){50}){50}', /more than 1024 states/],
    [`${'('.repeat(40)}a${')'.repeat(40)}`, /nested deeper/],
    ['a'.repeat(257), /longer than 256/],
    ['\\u{110000}', /no character/],
  ];
  for (const [source, why] of bad)
    assert.throws(
      () => new Regex(source),
      (error) => isGarnerError(error, queryErrors.QUERY_REGEX) && why.test(error.message),
      source,
    );
  for (const source of [
    '[]a]+',
    'a-z',
    '[a-]',
    '[-a]',
    'a{2,}',
    '\\/',
    '}',
    ']',
    '(?:a|)',
    '\\x41',
    '\\u{1F600}',
  ])
    assert.doesNotThrow(() => new Regex(source), source);
});

test('no expression takes more than linear time in a text: steps are counted', () => {
  const hostile = [
    '(a*)*b',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*)*x',
    'a{0,500}b',
    '(a?){100}a{100}',
    '([ab]*a[ab]{12})',
    '(x+x+)+y',
  ];
  for (const source of hostile) {
    const regex = new Regex(source);
    const stepsFor = (length: number) => {
      const before = regex.steps;
      regex.test('ab'.repeat(length / 2));
      regex.test('a'.repeat(length));
      regex.search(`${'a'.repeat(length)}b`, () => false);
      return regex.steps - before;
    };
    stepsFor(500);
    const steps = stepsFor(20_000);
    assert.ok(steps <= 8 * 20_001 * (regex.states + 1), `${source}: ${steps}`);
  }
  // The automaton of this one has more states than the limit: it is dropped and built again.
  const large = new Regex('[ab]*a[ab]{14}c');
  let bits = 1;
  const noise = Array.from({ length: 20_000 }, () => {
    bits = (bits * 1_103_515_245 + 12_345) % 2_147_483_648;
    return bits & 65_536 ? 'a' : 'b';
  }).join('');
  assert.ok(!large.test(noise));
  assert.ok(large.test(`${noise}a${'b'.repeat(14)}c`));
  assert.ok(large.steps <= 60_000 * (large.states + 1));
});

test('a match far behind its last known end is not looked for: many of them take linear time', () => {
  for (const [pattern, matches] of [
    ['a(.*b)?', 30_000],
    ['(.*b)?', 0],
    ['(a.*b)?a?', 30_000],
  ] as const) {
    const regex = new Regex(pattern);
    let found = 0;
    regex.search('a'.repeat(30_000), (_, start, end) => {
      assert.equal(end - start, 1);
      found++;
      return false;
    });
    assert.equal(found, matches, pattern);
    assert.ok(regex.steps < 30_000 * 20, `${pattern}: ${regex.steps}`);
  }
  const words: string[] = [];
  const long = `${'a'.repeat(20_000)} ${'bb '.repeat(3)}`;
  new Regex('a|b+|(z.*y)?').search(long, (_, start, end) => {
    words.push(long.slice(start, end));
    return false;
  });
  assert.deepEqual(words.slice(20_000), ['bb', 'bb', 'bb']);
});

/** A plan in readable form. */
const shown = (plan: LiteralPlan | undefined): string => {
  if (plan === undefined) return 'anything';
  if (plan.kind === 'piece') return plan.text;
  return `(${plan.parts.map(shown).join(plan.kind === 'all' ? ' & ' : ' | ')})`;
};

test('a text that matches holds in its words the literals that the expression demands', () => {
  const pieces = fc.constantFrom(
    'colou?r',
    '[Pp]roxy',
    'load.?balanc',
    '(foo|bar)+',
    '(load.?balanc|[Pp]roxy)',
    'x*',
    '\\d\\d',
    'É',
    'straße',
    'x86',
    ' ',
    '-',
    '.*',
    'Ωmega',
  );
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 5 }), text, (parts, around) => {
      const source = parts.join('');
      const regex = new Regex(source);
      const plan = regex.literals();
      if (plan === undefined) return;
      const sample = parts
        .map((part) =>
          part
            .replace('u?', around.length % 2 === 0 ? 'u' : '')
            .replace('[Pp]', 'P')
            .replace('.?', '')
            .replace('(foo|bar)+', 'barfoo')
            .replace('(loadbalanc|Proxy)', around.length % 3 === 0 ? 'loadBalanc' : 'PROXY')
            .replace('x*', around.length % 5 === 0 ? 'xx' : '')
            .replaceAll('\\d', '7')
            .replace('.*', around.replaceAll('\n', '')),
        )
        .join('');
      const whole = `${around}${sample}${around}`;
      assert.ok(regex.test(whole), `${source} ${whole}`);
      const words = analyse(whole).map((token) => token.word);
      const holds = (piece: string) => words.some((one) => one.includes(piece));
      const both = {
        intersect: (a: boolean, b: boolean) => a && b,
        unite: (a: boolean, b: boolean) => a || b,
      };
      assert.equal(combineLiterals(plan, holds, both), true, `${source}: ${shown(plan)} in ${words}`);
    }),
    { numRuns: runs },
  );
  const plans: Readonly<Record<string, string>> = {
    'load.?balanc(er|ing)': '((balancer | balancing) & load)',
    'load balanc': '(balanc & load)',
    'reverse.*(proxy|gateway)': '(reverse & (proxy | gateway))',
    '(apache|nginx) +[a-z]+ing': '((apache | nginx) & ing)',
    'a.*b.*server': 'server',
    'a.*b': 'a',
    '(x(one|two)y|three.four)z+': '(xoney | xtwoy | (three & four))',
    'colou?rs?': '(color | colour)',
    '(foo){2}|bar': '(foofoo | bar)',
    Kay: 'kay',
    '.*': 'anything',
    'a|.': 'anything',
    '(abc)*def?': 'de',
  };
  for (const [pattern, plan] of Object.entries(plans))
    assert.equal(shown(new Regex(pattern).literals()), plan, pattern);
  assert.ok(regexBounds.states > 0);
});
