import { resolve } from 'node:path';
import type { SummariserModule } from '../modules/index.ts';
import { pattern } from '../recognise/index.ts';
import { isOwnName, secondsFault } from '../summarise/index.ts';
import type { AccessMethod } from './access-methods.ts';
import { parseCondition } from './condition.ts';
import type { Instruction, PostRule } from './post-rules.ts';
import type { SummariserProgram } from './program-summariser.ts';
import type { QuickSumRule } from './quick-sum.ts';
import { type ConfigRecord, RecordReader } from './record-reader.ts';
import type { UrlRewrite } from './url-rewrite.ts';

/** `first`: index of the first record in the setting. */
function each<Value>(
  records: readonly ConfigRecord[],
  key: string,
  names: readonly string[],
  first: number,
  read: (reader: RecordReader, at: number) => Value,
): readonly Value[] {
  return records.map((record, index) => {
    const at = first + index;
    return read(new RecordReader(record, `${key}[${at}]`, names), at);
  });
}

/** `gatherer.quick-sum`: type, attribute, pattern. Throws RULE_SETTING, RULE_PATTERN. */
export function readQuickSum(records: readonly ConfigRecord[], first = 0): readonly QuickSumRule[] {
  return each(records, 'gatherer.quick-sum', ['type', 'attribute', 'pattern'], first, (reader) => {
    const rule = {
      type: reader.text('type'),
      attribute: attributeName(reader),
      pattern: reader.text('pattern'),
    };
    pattern(rule.pattern);
    return rule;
  });
}

/** A module as configured, not yet read. */
export type NamedModule = Omit<SummariserModule, 'digest'>;

/** `gatherer.summarisers`; paths of modules are relative to `folder`. Throws RULE_SETTING. */
export function readSummarisers(
  records: readonly ConfigRecord[],
  folder: string,
  first = 0,
): { readonly programs: readonly SummariserProgram[]; readonly modules: readonly NamedModule[] } {
  const programs: SummariserProgram[] = [];
  const modules: NamedModule[] = [];
  const types = new Map<string, 'program' | 'module'>();
  each(records, 'gatherer.summarisers', ['type', 'command', 'module', 'seconds', 'mode'], first, (reader) => {
    const type = reader.text('type');
    const module = reader.optionalText('module');
    const kind = module === undefined ? 'program' : 'module';
    const before = types.get(type.toLowerCase());
    // Of two programs the later one counts.
    if (before !== undefined && (before === 'module' || kind === 'module'))
      reader.wrong('type', `${type} has a summariser already`, 'leave one of the two out');
    types.set(type.toLowerCase(), kind);
    const mode = reader.choice('mode', ['add', 'replace']);
    const common = { type, ...(mode === undefined ? {} : { mode }) };
    if (module === undefined) {
      const seconds = reader.seconds('seconds');
      const command = reader.texts('command');
      programs.push({ ...common, command, ...(seconds === undefined ? {} : { seconds }) });
      return;
    }
    if (reader.has('command')) reader.wrong('module', 'it has a command too', 'leave one of the two out');
    if (reader.has('seconds'))
      reader.wrong('seconds', 'a module has none', 'set gatherer.document-time, which bounds it');
    modules.push({ ...common, module, path: resolve(folder, module) });
  });
  return { programs, modules };
}

/** `gatherer.rules`: if, and any of set, remove, pipe, filter, delete, in that order. Throws RULE_*. */
export function readRules(records: readonly ConfigRecord[], first = 0): readonly PostRule[] {
  const names = ['if', 'set', 'remove', 'pipe', 'filter', 'delete'];
  return each(records, 'gatherer.rules', names, first, (reader, at) => {
    const condition = reader.optionalText('if');
    if (condition !== undefined) parseCondition(condition);
    const instructions = instructionsOf(reader, `gatherer.rules[${at}]`);
    if (instructions.length === 0)
      reader.wrong('if', 'it does nothing', 'add set, remove, pipe, filter or delete');
    return { instructions, ...(condition === undefined ? {} : { condition }) };
  });
}

/** `gatherer.rewrite`: from, to. Throws RULE_SETTING, RULE_PATTERN. */
export function readRewrites(records: readonly ConfigRecord[], first = 0): readonly UrlRewrite[] {
  return each(records, 'gatherer.rewrite', ['from', 'to'], first, (reader) => {
    const rule = { from: reader.text('from'), to: reader.text('to') };
    pattern(rule.from);
    return rule;
  });
}

/** `gatherer.access`: name, title, url, if. Throws RULE_*. */
export function readAccessMethods(records: readonly ConfigRecord[], first = 0): readonly AccessMethod[] {
  return each(records, 'gatherer.access', ['name', 'title', 'url', 'if'], first, (reader) => {
    const condition = reader.optionalText('if');
    if (condition !== undefined) parseCondition(condition);
    const name = reader.text('name');
    if (!/^[\w-]+$/.test(name)) reader.wrong('name', 'it is not one word', 'write a word such as query');
    return {
      name,
      title: reader.text('title'),
      url: reader.text('url'),
      ...(condition === undefined ? {} : { condition }),
    };
  });
}

function attributeName(reader: RecordReader): string {
  const name = reader.text('attribute');
  if (!/^[A-Za-z][\w-]{0,127}$/.test(name))
    reader.wrong('attribute', 'it is no attribute name', 'write a name such as Author');
  return name;
}

function instructionsOf(reader: RecordReader, key: string): readonly Instruction[] {
  const found: Instruction[] = [];
  const set = reader.table('set');
  if (set !== undefined) {
    const values = new RecordReader(set, `${key}.set`, Object.keys(set));
    for (const name of Object.keys(set)) {
      const value = values.text(name);
      if (isOwnName(name))
        values.wrong(name, 'the Gatherer itself sets it', 'set another attribute, such as Topic');
      const fault = secondsFault(name, value);
      if (fault !== undefined) values.wrong(name, `it ${fault}`, 'write a number, such as 86400 for a day');
      found.push({ kind: 'set', name, value });
    }
  }
  if (reader.has('remove')) for (const name of reader.texts('remove')) found.push({ kind: 'remove', name });
  const pipe = reader.table('pipe');
  if (pipe !== undefined) {
    const commands = new RecordReader(pipe, `${key}.pipe`, Object.keys(pipe));
    for (const name of Object.keys(pipe)) found.push({ kind: 'pipe', name, command: commands.texts(name) });
  }
  const filter = reader.table('filter');
  if (filter !== undefined) {
    const inside = new RecordReader(filter, `${key}.filter`, ['attributes', 'command']);
    found.push({ kind: 'filter', names: inside.texts('attributes'), command: inside.texts('command') });
  }
  if (reader.flag('delete')) found.push({ kind: 'delete' });
  return found;
}
