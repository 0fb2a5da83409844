import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { parseCondition } from './condition.ts';
import { customiseErrors } from './errors.ts';

const subject = {
  url: 'http://example.org/users/ann/index.html',
  type: 'HTML',
  attributes: [
    ['Title', 'A draft'],
    ['Author-1', 'Ann'],
    ['Author-2', "O'Brien"],
    ['File-Size', '2048'],
    ['Embed<1>-Author', 'Nobody'],
  ] as const,
};

const cases: readonly (readonly [string, boolean])[] = [
  ['Type == "HTML"', true],
  ["type == 'html'", false],
  ['url ~ /\\/users\\//', true],
  ['URL !~ /\\/users\\//', false],
  ['title ~ /DRAFT/i && author == "Ann"', true],
  ["Author == \"Bob\" || Author == 'O\\'Brien'", true],
  ['Author != "Ann"', false],
  ['Author == "Nobody"', false],
  ['Abstract', false],
  ['!Abstract', true],
  ['Abstract != "x"', true],
  ['File-Size > 2000 && File-Size <= 2048', true],
  ['File-Size < 3 || !(Title && Type != "HTML")', true],
  ['Title > 3', false],
  ['Type == "Text" || Type == "HTML" && Title == "no"', false],
];

test('conditions compare, combine and look at every value of a multi-value', () => {
  for (const [text, expected] of cases) assert.equal(parseCondition(text)(subject), expected, text);
});

test('the error of an invalid condition names the place', () => {
  const wrong: readonly (readonly [string, number])[] = [
    ['', 1],
    ['Type = "HTML"', 6],
    ['Type == ', 9],
    ['(Type == "a"', 13],
    ['Type == "a" Title', 13],
    ['Title ~ "text"', 9],
    ['Title ~ /a', 9],
    ['"a" == Title', 1],
    [`${'!'.repeat(100)}a`, 65],
  ];
  for (const [text, at] of wrong)
    assert.throws(
      () => parseCondition(text),
      (error) =>
        isGarnerError(error, customiseErrors.RULE_CONDITION) && error.message.includes(`character ${at}:`),
      text,
    );
  assert.throws(
    () => parseCondition('Title ~ /(/'),
    (error) => isGarnerError(error, customiseErrors.RULE_PATTERN),
  );
});

test('any text is a condition or a typed error', () => {
  const word = fc.constantFrom('Title', '==', '~', '/a/', '"b"', '(', ')', '!', '&&', '||', '7', "'", '\\');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join(' ')),
      ),
      (text) => {
        try {
          parseCondition(text)(subject);
        } catch (error) {
          assert.ok(isGarnerError(error), String(error));
        }
      },
    ),
    { numRuns: 2000 },
  );
});
