import { stat } from 'node:fs/promises';
import { failure, GarnerError } from '../../kernel/index.ts';
import { Attributes, baseName } from '../../soif/index.ts';
import { customiseErrors } from '../customise/errors.ts';
import {
  type AccessMethod,
  accessUrlFault,
  attributesIn,
  type ConfigRecord,
  comparisonsIn,
  type PostRule,
  RecordReader,
  readAccessMethods,
  readQuickSum,
  readRewrites,
  readRules,
  readSummarisers,
  rewriteFault,
} from '../customise/index.ts';
import { checkMapping, leafUrl, localPath, parseRootNode } from '../enumerate/index.ts';
import { type PlanSettings, readSiblings, readTypes } from '../pipeline/index.ts';
import { typeNames } from '../recognise/index.ts';
import { summariseErrors } from '../summarise/errors.ts';
import { summarisedTypes, summariserOf } from '../summarise/index.ts';
import { explodableFormats } from '../unnest/index.ts';
import { type FallbackValues, readEntry } from './entry-faults.ts';

/** The settings that a check needs. */
export type CheckedSettings = Pick<PlanSettings, 'list' | 'records' | 'folder'>;

/** Receives the findings. */
export interface ConfigJudge {
  /** A certain mistake. `key`: its place, such as `gatherer.rules[1]`. */
  fault(key: string, error: GarnerError): void;
  /** A possible mistake, as one sentence. */
  doubt(key: string, text: string): void;
  /** The known name that a mistyped one may mean. */
  nearest(typed: string, known: Iterable<string>): string | undefined;
}

const typeTables = ['url', 'name', 'content'] as const;

/** Valid values of the options that an entry must have, by setting. */
const fallbacks: Readonly<Record<string, FallbackValues>> = {
  'gatherer.types-by-url': { pattern: '.', type: 'Text' },
  'gatherer.types-by-name': { pattern: '.', type: 'Text' },
  'gatherer.types-by-content': { pattern: '.', type: 'Text' },
  'gatherer.siblings': { drop: 'Text', beside: ['*'] },
  'gatherer.quick-sum': { type: 'Text', attribute: Attributes.author, pattern: '.' },
  'gatherer.summarisers': { type: 'Text', command: ['true'] },
  'gatherer.rules': {
    set: { [Attributes.author]: 'nobody' },
    remove: [Attributes.author],
    pipe: { [Attributes.author]: ['true'] },
    filter: { attributes: [Attributes.author], command: ['true'] },
    delete: true,
  },
  'gatherer.rewrite': { from: '^a', to: 'https://a.example/' },
  'gatherer.access': { name: 'a', title: 'a', url: 'https://a.example/' },
  'gatherer.roots': { url: 'https://a.example/' },
};

/**
 * Check every table and type list of a Gatherer's settings, entry by entry. Faults are everything that readPlan and the
 * opening of roots would refuse, apart from programs and modules. Doubts are entries that can never have an effect.
 */
export async function judgeConfig(settings: CheckedSettings, judge: ConfigJudge): Promise<void> {
  await new Check(settings, judge).all();
}

class Check {
  readonly #settings: CheckedSettings;
  readonly #judge: ConfigJudge;
  /** Type names as recognised, and in lower case. */
  readonly #types: ReadonlySet<string>;
  readonly #lowerTypes: ReadonlySet<string>;

  constructor(settings: CheckedSettings, judge: ConfigJudge) {
    this.#settings = settings;
    this.#judge = judge;
    this.#types = new Set([...typeNames, ...this.#ownTypes()]);
    this.#lowerTypes = new Set([...this.#types].map((type) => type.toLowerCase()));
  }

  async all(): Promise<void> {
    for (const key of ['gatherer.stop', 'gatherer.allow'])
      for (const type of this.#settings.list(key)) this.#listed(key, type);
    for (const format of this.#settings.list('gatherer.explode')) this.#format(format);
    this.#each('gatherer.siblings', readSiblings, ({ drop, beside }, key) => {
      this.#type(key, 'drop', drop);
      for (const type of beside) if (type !== '*') this.#type(key, 'beside', type);
    });
    this.#each('gatherer.quick-sum', readQuickSum, ({ type }, key) => this.#type(key, 'type', type));
    this.#summarisers();
    const rules = this.#each('gatherer.rules', readRules, ({ condition }, key) =>
      this.#condition(key, condition),
    );
    this.#each('gatherer.rewrite', readRewrites, (rule, key) => {
      const fault = rewriteFault(rule);
      if (fault !== undefined) this.#wrong(key, 'to', fault.why, fault.cure);
    });
    const access = this.#each('gatherer.access', readAccessMethods, ({ condition, url }, key) => {
      this.#condition(key, condition);
      const fault = accessUrlFault(url);
      if (fault !== undefined) this.#wrong(key, 'url', fault.why, fault.cure);
    });
    await this.#filledIn(access, rules);
    const root = ([record]: readonly ConfigRecord[], at: number) => [
      localPath(parseRootNode(record, `gatherer.roots[${at}]`)),
    ];
    this.#each('gatherer.roots', root, () => {});
    for (const leaf of this.#settings.list('gatherer.leaves'))
      if (leafUrl(leaf) === undefined)
        this.#wrong(
          'gatherer.leaves',
          '',
          `${leaf.slice(0, 200)} is not an absolute URL`,
          'write https://HOST/PATH',
        );
    await this.#mappings();
  }

  /** The types that the operator's tables define; those similar to a type of Garner's are reported. */
  #ownTypes(): readonly string[] {
    const own: string[] = [];
    for (const by of typeTables) {
      const key = `gatherer.types-by-${by}`;
      const read = (records: readonly ConfigRecord[], first: number) => readTypes(records, by, first);
      this.#each(key, read, ({ type }, at) => {
        own.push(type);
        const near = this.#judge.nearest(type, typeNames);
        if (near === undefined || near === type || near.length < 4) return;
        this.#judge.doubt(at, `${at} makes a type of its own, ${type}; if ${near} is meant, write ${near}`);
      });
    }
    return own;
  }

  /** Read a setting's entries one by one, so that a wrong entry hides no other, and check the values. */
  #each<Value>(
    setting: string,
    read: (records: readonly ConfigRecord[], first: number) => readonly Value[],
    judge: (value: Value, key: string) => void,
  ): readonly { readonly value: Value; readonly key: string }[] {
    return this.#settings.records(setting).flatMap((record, at) => {
      const key = `${setting}[${at}]`;
      const found = readEntry(record, key, fallbacks[setting] ?? {}, (entry) => read([entry], at));
      for (const fault of found.faults) this.#judge.fault(key, fault);
      const values = (found.value ?? []).map((value) => ({ value, key }));
      for (const { value } of values) judge(value, key);
      return found.faults.length === 0 ? values : [];
    });
  }

  #attempt<Value>(key: string, work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      this.#judge.fault(key, error);
      return undefined;
    }
  }

  #wrong(key: string, option: string, why: string, cure: string): void {
    const place = option === '' ? key : `${key}.${option}`;
    this.#judge.fault(key, failure(customiseErrors.RULE_SETTING, { key: place, why, cure }));
  }

  /** Types in lists and tables ignore case. */
  #isKnown(type: string): boolean {
    return this.#lowerTypes.has(type.trim().toLowerCase());
  }

  #listed(key: string, name: string): void {
    if (this.#isKnown(name)) return;
    const near = this.#judge.nearest(name, this.#types);
    const data = { name: name.slice(0, 60), near: near === undefined ? [] : [near] };
    this.#judge.fault(key, failure(summariseErrors.GATHERER_UNKNOWN_TYPE, data));
  }

  #type(key: string, option: string, type: string): void {
    if (!this.#isKnown(type)) this.#unknown(key, option, type);
  }

  #unknown(key: string, option: string, type: string): void {
    const near = this.#judge.nearest(type, this.#types);
    const cure =
      near === undefined
        ? 'summarisers.md of the manual names every type; gatherer.types-by-name and similar settings define your own'
        : `did you mean ${near}? summarisers.md of the manual names every type`;
    this.#wrong(key, option, `there is no type ${type.slice(0, 60)}`, cure);
  }

  #format(format: string): void {
    if (explodableFormats.some((known) => known === format)) return;
    const near = this.#judge.nearest(format, explodableFormats);
    const cure =
      near === undefined ? `choose among ${explodableFormats.join(', ')}` : `did you mean ${near}?`;
    this.#wrong('gatherer.explode', '', `nothing takes ${format.slice(0, 60)} apart`, cure);
  }

  /** Conditions respect case. */
  #condition(key: string, condition: string | undefined): void {
    if (condition === undefined) return;
    for (const { name, sign, text } of comparisonsIn(condition))
      if (name.toLowerCase() === 'type' && /^[=!]=$/.test(sign) && !this.#types.has(text))
        this.#unknown(key, 'if', text);
  }

  #summarisers(): void {
    const { folder } = this.#settings;
    const read = (given: readonly ConfigRecord[], first: number) => {
      const { programs, modules } = readSummarisers(given, folder, first);
      return [...programs, ...modules];
    };
    const all = this.#settings.records('gatherer.summarisers');
    const sound = this.#each('gatherer.summarisers', read, ({ type }, key) => this.#type(key, 'type', type));
    // Two summarisers of one type show only when all are read together.
    if (sound.length === all.length) this.#attempt('gatherer.summarisers', () => read(all, 0));
  }

  /** Whether summaries can have the attributes in the addresses of access methods. */
  async #filledIn(
    access: readonly { readonly value: AccessMethod; readonly key: string }[],
    rules: readonly { readonly value: PostRule }[],
  ): Promise<void> {
    const wanted = access.flatMap(({ value, key }) => attributesIn(value.url).map((name) => ({ name, key })));
    if (wanted.length === 0) return;
    const instructions = rules.flatMap(({ value }) => value.instructions);
    const known = new Map(
      [
        ...Object.values(Attributes),
        ...['URL', 'Summary-Note', 'Types-Tried'],
        ...(await summarisedNames()),
        ...this.#settings.records('gatherer.quick-sum').map(({ attribute }) => String(attribute)),
        ...instructions.flatMap((instruction) => (instruction.kind === 'set' ? [instruction.name] : [])),
      ].map((name) => [baseName(name), name]),
    );
    for (const { name, key } of wanted) {
      if (known.has(baseName(name)) || /^(?:dc|dcterms)-/i.test(name)) continue;
      // A program, a module or an annotation may give attributes of any name.
      const near = this.#judge.nearest(name, known.values());
      const meant = near === undefined ? '' : `; did you mean {${near}}?`;
      this.#judge.doubt(
        key,
        `${key}.url: Garner gives no attribute ${name}, and {${name}} is empty where a summary has none${meant}`,
      );
    }
  }

  async #mappings(): Promise<void> {
    for (const [at, record] of this.#settings.records('gatherer.local-mapping').entries()) {
      const key = `gatherer.local-mapping[${at}]`;
      const mapping = this.#attempt(key, () => {
        const reader = new RecordReader(record, key, ['url', 'path']);
        const read = { url: reader.text('url'), path: reader.text('path') };
        checkMapping(read, key);
        return read;
      });
      if (mapping === undefined) continue;
      const found = await stat(mapping.path).catch(() => undefined);
      const lack = found === undefined ? 'is not there' : found.isDirectory() ? undefined : 'is no folder';
      if (lack !== undefined)
        this.#judge.doubt(
          key,
          `${key}: ${mapping.path} ${lack}; documents below ${mapping.url} are requested over the network`,
        );
    }
  }
}

/** Every attribute of Garner's summarisers. */
async function summarisedNames(): Promise<readonly string[]> {
  const names: string[] = [];
  for (const type of summarisedTypes)
    for (const { name } of (await summariserOf(type)?.attributes()) ?? []) names.push(name);
  return names;
}
