import { ModuleSummarisers, type SummariserModule } from '../modules/index.ts';
import { runProgram } from '../programs/index.ts';
import type { Field, RecognisedDocument, Summary } from '../summariser.ts';
import { type AccessMethod, AccessMethods } from './access-methods.ts';
import { type PostRule, PostRules } from './post-rules.ts';
import { ProgramSummarisers, type SummariserProgram } from './program-summariser.ts';
import { QuickSum, type QuickSumRule } from './quick-sum.ts';
import type { RuleSubject } from './rule-subject.ts';
import { soifFilterForm } from './soif-filter-form.ts';

/** What an operator changes in how documents are summarised; plain data. */
export interface Customisation {
  readonly quickSum: readonly QuickSumRule[];
  readonly programs: readonly SummariserProgram[];
  readonly modules: readonly SummariserModule[];
  readonly rules: readonly PostRule[];
  readonly access: readonly AccessMethod[];
}

export const noCustomisation: Customisation = {
  quickSum: [],
  programs: [],
  modules: [],
  rules: [],
  access: [],
};

/** Applies an operator's customisation to summaries. */
export class SummaryCustomisation {
  readonly programs: ProgramSummarisers;
  readonly modules: ModuleSummarisers;
  readonly #quickSum: QuickSum;
  readonly #rules: PostRules;
  readonly #access: AccessMethods;

  /** Throws RULE_CONDITION, RULE_PATTERN. */
  constructor({ quickSum, programs, modules, rules, access }: Customisation) {
    this.programs = new ProgramSummarisers(programs);
    this.modules = new ModuleSummarisers(modules);
    this.#quickSum = new QuickSum(quickSum);
    this.#rules = new PostRules(rules, (command, input) => runProgram({ command, input }), soifFilterForm);
    this.#access = new AccessMethods(access);
  }

  /** Fields that the operator's line patterns find; `text` is asked for only when there are patterns for the type. */
  quickFields(type: string, text: () => string): readonly Field[] {
    return this.#quickSum.has(type) ? this.#quickSum.fields(type, text()) : [];
  }

  /** The summary as the operator's rules leave it, access methods attached; undefined when a rule deletes it. */
  async apply(document: RecognisedDocument, summary: Summary): Promise<Summary | undefined> {
    const subject: RuleSubject = { url: document.url, type: summary.type, attributes: summary.attributes };
    const ruled = await this.#rules.apply(subject);
    if (ruled === undefined) return undefined;
    return { ...summary, attributes: [...ruled.attributes, ...this.#access.fields(ruled)] };
  }
}
