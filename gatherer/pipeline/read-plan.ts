import type { SummaryText } from '../../readers/document/index.ts';
import {
  type ConfigRecord,
  type NamedModule,
  type PostRule,
  RecordReader,
  readAccessMethods,
  readQuickSum,
  readRewrites,
  readRules,
  readSummarisers,
  type SummariserProgram,
} from '../customise/index.ts';
import { type ModuleBounds, prepareModule, type SummariserModule } from '../modules/index.ts';
import { requireProgram } from '../programs/index.ts';
import { pattern, type SiblingRule, type TypeRule } from '../recognise/index.ts';
import type { DistributionObjects } from '../settings.ts';
import { unnestLimits } from '../unnest/settings.ts';
import { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';

/** The settings of the plan, by key. */
export interface PlanSettings {
  text(key: string): string;
  list(key: string): readonly string[];
  bytes(key: string): number;
  seconds(key: string): number;
  values(): Readonly<Record<string, unknown>>;
  records(key: string): readonly ConfigRecord[];
  /** Paths in the configuration are relative to it. */
  readonly folder: string;
}

/** The limits of one document in a thread, from the settings. */
export function threadBounds(settings: Pick<PlanSettings, 'bytes' | 'seconds'>): ModuleBounds {
  return {
    seconds: settings.seconds('gatherer.document-time'),
    heapMiB: Math.ceil(settings.bytes('gatherer.thread-memory') / 1024 / 1024),
  };
}

/** The plan of the settings; its modules are tried. Throws RULE_*, MODULE_*, PROGRAM_ABSENT. */
export async function readPlan(
  settings: PlanSettings,
  text = settings.text('gatherer.text'),
): Promise<PipelinePlan> {
  const limits = unnestLimits(settings.values());
  const allow = settings.list('gatherer.allow');
  const { programs, modules } = readSummarisers(settings.records('gatherer.summarisers'), settings.folder);
  const rules = readRules(settings.records('gatherer.rules'));
  for (const command of commandsOf(programs, rules)) await requireProgram(command);
  const types = (by: string) => readTypes(settings.records(`gatherer.types-by-${by}`), by);
  return {
    summarise: {
      text: text as SummaryText,
      maxTextBytes: settings.bytes('gatherer.max-text'),
      maxDocumentBytes: settings.bytes('gatherer.max-document-bytes'),
    },
    selection: { stop: settings.list('gatherer.stop'), ...(allow.length === 0 ? {} : { allow }) },
    siblings: readSiblings(settings.records('gatherer.siblings')),
    types: { byUrl: types('url'), byName: types('name'), byContent: types('content') },
    unnest: {
      ...defaultPlan.unnest,
      open: limits.maxDepth !== 0,
      explode: settings.list('gatherer.explode'),
      distributions: settings.text('gatherer.source-distributions') as DistributionObjects,
      limits,
    },
    rewrite: readRewrites(settings.records('gatherer.rewrite')),
    customise: {
      quickSum: readQuickSum(settings.records('gatherer.quick-sum')),
      programs,
      modules: await prepared(modules, threadBounds(settings)),
      rules,
      access: readAccessMethods(settings.records('gatherer.access')),
    },
  };
}

/** Commands of the operator that are run for documents. */
export function commandsOf(
  programs: readonly SummariserProgram[],
  rules: readonly PostRule[],
): readonly (readonly string[])[] {
  const inRules = rules
    .flatMap(({ instructions }) => instructions)
    .flatMap((instruction) => ('command' in instruction ? [instruction.command] : []));
  return [...programs.map(({ command }) => command), ...inRules];
}

async function prepared(
  modules: readonly NamedModule[],
  bounds: ModuleBounds,
): Promise<readonly SummariserModule[]> {
  const found: SummariserModule[] = [];
  // One after the other: the first fault is reported.
  for (const module of modules) found.push({ ...module, digest: await prepareModule(module, bounds) });
  return found;
}

/** `gatherer.types-by-url` and similar; `first`: index of the first record. Throws RULE_SETTING, RULE_PATTERN. */
export function readTypes(records: readonly ConfigRecord[], by: string, first = 0): readonly TypeRule[] {
  return records.map((record, index) => {
    const key = `gatherer.types-by-${by}[${first + index}]`;
    const reader = new RecordReader(record, key, ['pattern', 'type']);
    const rule = { pattern: reader.text('pattern'), type: reader.text('type') };
    pattern(rule.pattern);
    if (!/^[\w-]{1,64}$/.test(rule.type))
      reader.wrong('type', 'it is no type name', 'write a word such as Recipe');
    return rule;
  });
}

/** `gatherer.siblings`; `first`: index of the first record. Throws RULE_SETTING. */
export function readSiblings(records: readonly ConfigRecord[], first = 0): readonly SiblingRule[] {
  return records.map((record, index) => {
    const reader = new RecordReader(record, `gatherer.siblings[${first + index}]`, ['drop', 'beside']);
    return { drop: reader.text('drop'), beside: reader.texts('beside') };
  });
}
