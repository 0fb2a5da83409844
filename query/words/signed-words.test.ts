import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { signedWords } from './signed-words.ts';

const names = (text: string) => [...signedWords(text)];

test('names have their signs: before, between and behind their letters', () => {
  assert.deepEqual(
    names('Use .NET, ASP.NET, C++ or C#; notepad++. Node.js’s os.path.join() std::vector<int> a->b'),
    [...['.net', 'asp.net', 'c++', 'c#', 'notepad++', 'node.js', 'os.path', 'std::vector', 'a->b']],
  );
  assert.deepEqual(names('$PATH @media #include AT&T --dry-run __init__ (".NET") `.gitignore` h.264 C++17'), [
    ...[
      '$path',
      '@media',
      '#include',
      'at&t',
      '--dry-run',
      '__init__',
      '.net',
      '.gitignore',
      'h.264',
      'c++17',
    ],
  ]);
});

test('numbers, ends of sentences, addresses, calls and snake case are no names with signs', () => {
  assert.deepEqual(
    names(
      '3.5 v1.2 1.2.3.jar End. Vue. http://a.b/c.html?x=1 me@example.org f().bar a[0].b ... a..b user_name x-y',
    ),
    [],
  );
});

test('blanks divide texts that have the same names apart and together', () => {
  const word = fc.string({ unit: fc.constantFrom(...'aBc1.:>-#&+$@_/()é京👍'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      assert.deepEqual(names(words.join(' ')), words.flatMap(names));
    }),
  );
});

test('a long text of signs takes time in proportion', () => {
  for (const text of ['a.', '.a', '::', '->', '_', '--a', 'a+', 'x&', '$@#'])
    assert.ok(names(text.repeat(200_000 / text.length)).length <= 1, text);
});
