import type { Field, RecognisedDocument } from '../../readers/document/index.ts';
import { Attributes, baseName, printObject, summaryObject } from '../../soif/index.ts';
import { ModuleSummarisers, type SummariserModule } from '../modules/index.ts';
import { runProgram } from '../programs/index.ts';
import type { Summary } from '../summarise/index.ts';
import { type AccessMethod, AccessMethods } from './access-methods.ts';
import { type FilterForm, type PostRule, PostRules, type RuleFailure } from './post-rules.ts';
import { parseProgramOutput } from './program-output.ts';
import { ProgramSummarisers, type SummariserProgram } from './program-summariser.ts';
import { QuickSum, type QuickSumRule } from './quick-sum.ts';
import { type UrlRewrite, UrlRewriter } from './url-rewrite.ts';

/** Attributes go to a filter program and back as one SOIF object (Harvest's `a,b,c ! program`). */
export const soifFilterForm: FilterForm = {
  print: ({ url, attributes }) => printObject(summaryObject(url, attributes)),
  parse: (bytes) => parseProgramOutput('the filter', bytes),
};

const urlReferences = Attributes.urlReferences.toLowerCase();

/** An operator's changes to summarising; plain data. */
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

/** A summary after the rules. */
export interface RuledSummary {
  /** Undefined when a rule deletes it. */
  readonly summary: Summary | undefined;
  readonly failures: readonly RuleFailure[];
}

/** Applies an operator's customisation to summaries. */
export class SummaryCustomisation {
  readonly programs: ProgramSummarisers;
  readonly modules: ModuleSummarisers;
  readonly #quickSum: QuickSum;
  readonly #rules: PostRules;
  readonly #access: AccessMethods;
  readonly #rewriter: UrlRewriter;

  /** Throws RULE_CONDITION, RULE_PATTERN. */
  constructor(
    { quickSum, programs, modules, rules, access }: Customisation,
    rewrite: readonly UrlRewrite[] = [],
  ) {
    this.programs = new ProgramSummarisers(programs);
    this.modules = new ModuleSummarisers(modules);
    this.#quickSum = new QuickSum(quickSum);
    this.#rules = new PostRules(
      rules,
      (command, input, signal) => runProgram({ command, input, signal }),
      soifFilterForm,
    );
    this.#access = new AccessMethods(access);
    this.#rewriter = new UrlRewriter(rewrite);
  }

  /** Fields that the operator's line patterns find; `text` is called only if there are patterns for the type. */
  quickFields(type: string, text: () => string): readonly Field[] {
    return this.#quickSum.has(type) ? this.#quickSum.fields(type, text()) : [];
  }

  /** Apply rules, access methods and URL rewrites to a summary. Rejects only with the signal's reason. */
  async apply(document: RecognisedDocument, summary: Summary, signal?: AbortSignal): Promise<RuledSummary> {
    const { subject, failures } = await this.#rules.apply(
      { url: document.url, type: summary.type, attributes: summary.attributes },
      signal,
    );
    if (subject === undefined) return { summary: undefined, failures };
    const published = subject.attributes.map(
      ([name, value]): Field =>
        baseName(name) === urlReferences ? [name, this.#rewriter.references(value)] : [name, value],
    );
    const shown = { ...subject, attributes: published };
    const access = this.#access.fields(shown, this.#rewriter.publishedPlace(subject.url));
    const attributes = [...published, ...access];
    return { summary: { ...summary, attributes }, failures };
  }
}
