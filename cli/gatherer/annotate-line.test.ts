import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verbOption } from '../command/flags.ts';
import { VerbArguments } from '../command/verb.ts';
import { gathererAnnotate } from './annotate.ts';
import { annotateWork } from './annotate-line.ts';

test('an author with nothing to say is refused', () => {
  const url = 'http://x.example/';
  for (const values of [
    { url, author: 'Jo' },
    { author: 'Jo', import: 'a.bib' },
  ])
    assert.throws(() => annotateWork(new VerbArguments(values)), { code: 'CLI_USAGE' });
  const set = new VerbArguments({ url, author: 'Jo', set: ['Topic=tide'] });
  assert.deepEqual(annotateWork(set), { kind: 'change', url });
});

test('a word that is none of the choices gets an error that names them', () => {
  const { as } = gathererAnnotate.options ?? {};
  assert.ok(as !== undefined);
  const said: string[] = [];
  const { coerce } = verbOption('as', as, (sentence) => said.push(sentence));
  assert.throws(() => coerce?.('lms'));
  assert.deepEqual(said, ['--as is one of soif, iafa, lsm, bibtex, not "lms"']);
  assert.deepEqual(
    [coerce?.('lsm'), coerce?.(['soif', 'iafa']), coerce?.(undefined)],
    ['lsm', 'iafa', undefined],
  );
});
