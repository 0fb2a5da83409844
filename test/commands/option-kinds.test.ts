import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Verb, VerbArguments, verbs } from '../../cli/index.ts';

const sources = join(import.meta.dirname, '..', '..', '..', 'cli');

/** The getters of `VerbArguments` that may read an argument of each kind. */
const readers: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'required'],
  flag: ['flag'],
  count: ['count'],
  port: ['count'],
  list: ['list'],
};

/** The kind of an option or argument of a verb; undefined when the verb has none of this name. */
function kindOf(verb: Verb, name: string): string | undefined {
  if (name === 'config') return 'text';
  const option = verb.options?.[name];
  if (option !== undefined) return option.kind;
  if (verb.positionals?.[name] === undefined) return undefined;
  return verb.command.includes(`${name}..`) ? 'list' : 'text';
}

/** Whether a verb's file, or one that it reads arguments through, has this reader. */
const mayRead = (verb: Verb, name: string, reader: string) => {
  const kind = kindOf(verb, name);
  return kind === undefined || (readers[kind] as readonly string[]).includes(reader);
};

test('every option of every verb is read as the kind that it is declared as', () => {
  let read = 0;
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const source = readFileSync(join(sources, file), 'utf8');
    const own = verbs.filter(({ command }) => source.includes(`command: '${command}'`));
    for (const [, reader = '', name = ''] of source.matchAll(/\bargs\.(\w+)\(\s*'([\w-]+)'/g)) {
      read += 1;
      // A file without verbs reads for those of other files.
      for (const verb of own.length > 0 ? own : verbs)
        assert.ok(mayRead(verb, name, reader), `${file} reads --${name} of ${verb.command} by ${reader}()`);
      const isDeclared = (own.length > 0 ? own : verbs).some((verb) => kindOf(verb, name) !== undefined);
      assert.ok(isDeclared || own.length === 0, `${file} reads --${name}, which no verb in it declares`);
    }
  }
  assert.ok(read > 100, `${read} readers found`);
});

test('an argument of another kind is a TypeError, and an absent one is not', () => {
  const args = new VerbArguments({ limit: 3, data: 'x', all: true, root: ['a'] });
  assert.deepEqual([args.count('limit'), args.text('data'), args.flag('all')], [3, 'x', true]);
  for (const read of [() => args.text('limit'), () => args.count('data'), () => args.list('all')])
    assert.throws(read, TypeError);
  assert.deepEqual([args.text('none'), args.flag('none'), args.list('none')], [undefined, false, []]);
});
