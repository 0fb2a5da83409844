import {
  type ConfigRecord,
  pattern,
  RecordReader,
  readAccessMethods,
  readQuickSum,
  readRewrites,
  readRules,
  readSummarisers,
} from './customise/index.ts';
import { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';
import type { SiblingRule } from './sibling-rules.ts';
import type { SummariseOptions } from './summariser.ts';
import type { TypeRule } from './type-tables.ts';
import { unnestLimits } from './unnest/index.ts';

/** Where the plan's parts are read from: the settings of this folder by key. */
export interface PlanSettings {
  text(key: string): string;
  list(key: string): readonly string[];
  bytes(key: string): number;
  values(): Readonly<Record<string, unknown>>;
  records(key: string): readonly ConfigRecord[];
}

/** The plan that the settings describe. Throws RULE_SETTING, RULE_CONDITION, RULE_PATTERN. */
export function readPlan(settings: PlanSettings, text = settings.text('gatherer.text')): PipelinePlan {
  const limits = unnestLimits(settings.values());
  const allow = settings.list('gatherer.allow');
  const types = (by: string) => readTypes(settings.records(`gatherer.types-by-${by}`), by);
  return {
    summarise: {
      text: text as SummariseOptions['text'],
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
      limits,
    },
    rewrite: readRewrites(settings.records('gatherer.rewrite')),
    customise: {
      quickSum: readQuickSum(settings.records('gatherer.quick-sum')),
      programs: readSummarisers(settings.records('gatherer.summarisers')),
      rules: readRules(settings.records('gatherer.rules')),
      access: readAccessMethods(settings.records('gatherer.access')),
    },
  };
}

function readTypes(records: readonly ConfigRecord[], by: string): readonly TypeRule[] {
  return records.map((record, at) => {
    const reader = new RecordReader(record, `gatherer.types-by-${by}[${at}]`, ['pattern', 'type']);
    const rule = { pattern: reader.text('pattern'), type: reader.text('type') };
    pattern(rule.pattern);
    if (!/^[\w-]{1,64}$/.test(rule.type))
      reader.wrong('type', 'it is no type name', 'write a word such as Recipe');
    return rule;
  });
}

function readSiblings(records: readonly ConfigRecord[]): readonly SiblingRule[] {
  return records.map((record, at) => {
    const reader = new RecordReader(record, `gatherer.siblings[${at}]`, ['drop', 'beside']);
    return { drop: reader.text('drop'), beside: reader.texts('beside') };
  });
}
