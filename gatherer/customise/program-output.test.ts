import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { customiseErrors } from './errors.ts';
import { parseProgramOutput } from './program-output.ts';
import { ProgramSummarisers } from './program-summariser.ts';
import { soifFilterForm } from './summary-customisation.ts';

const parse = (text: string) => parseProgramOutput('sum', Buffer.from(text));

test('SOIF with and without its braces, and JSON', async () => {
  assert.deepEqual(await parse('Title{5}:\tHello\nAuthor{3}:\tAnn\n'), [
    ['Title', 'Hello'],
    ['Author', 'Ann'],
  ]);
  assert.deepEqual(await parse('@FILE { http://x/\nTitle{5}:\tHello\n}\n'), [['Title', 'Hello']]);
  assert.deepEqual(await parse('{"Title":"Hello","Pages":3,"Author":["Ann","Bob"],"Nothing":null}'), [
    ['Title', 'Hello'],
    ['Pages', '3'],
    ['Author', 'Ann\nBob'],
  ]);
  assert.deepEqual(await parse(' \n'), []);
});

test('output that is neither is a typed error', async () => {
  for (const text of ['hello', '{"Title":', '{"a b":"c"}'])
    await assert.rejects(parse(text), (error) => isGarnerError(error, customiseErrors.RULE_OUTPUT), text);
});

test('any bytes give fields or a typed error', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      try {
        await parseProgramOutput('sum', bytes);
      } catch (error) {
        assert.ok(isGarnerError(error), String(error));
      }
    }),
    { numRuns: 1000 },
  ));

test('attributes go through a filter unharmed', async () => {
  const attributes = [
    ['Title', 'a }\nTitle{3}:\tx'],
    ['Author-1', 'Änn'],
  ] as const;
  const subject = { url: 'http://example.org/', type: 'HTML', attributes };
  assert.deepEqual(await soifFilterForm.parse(soifFilterForm.print(subject)), attributes);
});

test('a program summarises the documents of its type and knows their names', async () => {
  const programs = new ProgramSummarisers([
    {
      type: 'Recipe',
      command: ['sh', '-c', 'printf \'{"Title":"%s","First":"%s"}\' "$GARNER_NAME" "$(head -1)"'],
    },
  ]);
  const document = {
    url: 'http://x/soup',
    name: 'soup',
    bytes: Buffer.from('onions\nwater\n'),
    type: 'Recipe',
    mediaType: 'text/plain',
  };
  assert.deepEqual(await programs.fields(document), [
    ['Title', 'soup'],
    ['First', 'onions'],
  ]);
  assert.deepEqual(await programs.fields({ ...document, type: 'Text' }), []);
});

test('a repeated name has several values; a program cannot set Garner’s own attributes', async () => {
  assert.deepEqual(await parse('Author{3}:\tAnn\nMD5{1}:\tx\nauthor{3}:\tBob\nUpdate-Time{1}:\t1\n'), [
    ['Author', 'Ann\nBob'],
  ]);
  assert.deepEqual(
    await parse('{"Type":"Mine","Summary-Note":"","Gatherer-Name":"me","File-Size":1,"Topic":"soup"}'),
    [['Topic', 'soup']],
  );
});
