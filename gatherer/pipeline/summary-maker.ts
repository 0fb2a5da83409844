import { isGarnerError } from '../../kernel/index.ts';
import type { Extract, RecognisedDocument } from '../../readers/document/index.ts';
import { decodeText } from '../../readers/text/index.ts';
import { type RuleFailure, SummaryCustomisation } from '../customise/index.ts';
import { moduleErrors } from '../modules/errors.ts';
import { looksBinary, type Recognised, Recogniser, typeNames } from '../recognise/index.ts';
import { summaryReduced } from '../summarise/events.ts';
import { type Summary, summariserOf } from '../summarise/index.ts';
import type { PipelinePlan } from './pipeline-plan.ts';
import { reasonOf, SummaryDraft, withNotes } from './summary-draft.ts';

/** Result of summarising a document. */
export interface Made {
  /** Undefined when an operator's rule deletes it. */
  readonly summary: Summary | undefined;
  /** Whether a passing fault reduced it: a program that failed, a module that has changed. */
  readonly passing: boolean;
}

/** A draft and the document under the type by which it was read. */
interface Drafted {
  readonly draft: SummaryDraft;
  readonly as: Recognised;
}

/** Makes the summary of one document by its type: Garner's summariser, then the operator's additions. */
export class SummaryMaker {
  readonly #plan: PipelinePlan;
  readonly #recogniser: Recogniser;
  readonly #customisation: SummaryCustomisation;

  /** Throws RULE_CONDITION, RULE_PATTERN. */
  constructor(plan: PipelinePlan, recogniser = new Recogniser(plan.types)) {
    this.#plan = plan;
    this.#recogniser = recogniser;
    this.#customisation = new SummaryCustomisation(plan.customise, plan.rewrite);
  }

  /**
   * The summary, unless an operator's rule deletes it. Never rejects for the content: an unreadable document gets the
   * plain summary with a `Summary-Note`; a document that the reader of its type refuses is read as another type. `notes`: known omissions. `read`: returns an extract that was made from the
   * members while unpacking.
   */
  async summary(
    document: Recognised,
    notes: readonly string[],
    signal?: AbortSignal,
    read?: () => Extract,
  ): Promise<Made> {
    const { draft, as } = await this.#draft(document, notes, signal, read);
    const passing = await this.#ownFields(as, draft, signal);
    const { summary, failures } = await this.#customisation.apply(as, draft.summary(), signal);
    const failed = failures.map(ruleNote);
    const reasons = [...draft.notes, ...failed];
    if (reasons.length > 0) summaryReduced.publish({ url: document.url, type: as.type, reasons });
    return {
      summary: summary && { ...summary, attributes: withNotes(summary.attributes, failed) },
      passing: passing || failures.some(({ error }) => passes(error)),
    };
  }

  /** The draft under the first type whose reader takes the document, else the plain one of its own type. */
  async #draft(
    document: Recognised,
    notes: readonly string[],
    signal?: AbortSignal,
    read?: () => Extract,
  ): Promise<Drafted> {
    const { programs, modules } = this.#customisation;
    const replaced = programs.replaces(document.type) || modules.replaces(document.type);
    const tried = [...document.refuted];
    let plain: Drafted | undefined;
    let empty: Drafted | undefined;
    let refusal: string | undefined;
    for (const as of read === undefined && !replaced ? this.#readings(document) : [document]) {
      const entry = replaced ? undefined : summariserFor(as);
      const draft = new SummaryDraft(as, this.#plan.summarise, read === undefined ? entry?.reads : undefined);
      for (const note of notes) draft.note(note);
      draft.tried(tried);
      plain ??= { draft, as };
      if (entry === undefined || (read === undefined && draft.readable === undefined)) {
        if (as !== document) continue;
        if (as.type === 'Unrecognized' && tried[0] !== undefined)
          draft.note(`Not summarised: the content is not ${tried[0]}.`);
        break;
      }
      try {
        const extract = read?.() ?? (await (await entry.load())(draft.readable ?? as, this.#plan.summarise));
        draft.take(extract);
        if (refusal !== undefined) draft.note(`Read as ${as.type}: ${refusal}.`);
        if (entry.reads === 'text' || !isNothing(extract) || this.#recogniser.isShown(as))
          return { draft, as };
        empty ??= { draft, as };
        refusal ??= `its content is not ${as.type}`;
      } catch (error) {
        signal?.throwIfAborted();
        draft.fail(error);
        const reason = reasonOf(error, as.type);
        refusal ??= isGarnerError(error) ? `it could not be read as ${as.type}, ${reason}` : reason;
      }
      tried.push(as.type);
    }
    if (empty === undefined) plain?.draft.tried(tried);
    return empty ?? (plain as Drafted);
  }

  *#readings(document: Recognised): Generator<Recognised> {
    yield document;
    yield* this.#recogniser.others(document);
  }

  /** Replace fields by the operator's patterns and program or module; true: a passing fault lost some. */
  async #ownFields(
    document: RecognisedDocument,
    draft: SummaryDraft,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { programs, modules } = this.#customisation;
    const text = () => decodeText(document.bytes, document.charset);
    draft.override(this.#customisation.quickFields(document.type, text));
    try {
      draft.override(await programs.fields(document, signal));
      if (modules.has(document.type))
        draft.override(await modules.fields(document, draft.summary().attributes));
      return false;
    } catch (error) {
      signal?.throwIfAborted();
      draft.note(sentence(error));
      return passes(error);
    }
  }
}

function isNothing({ title, fields, text, references }: Extract): boolean {
  const values = [title, ...fields.map(([, value]) => value), ...(text?.blocks ?? []), ...references];
  return values.every((value) => value === undefined || value === '');
}

/** The summariser of a document's type; for an operator's own type that of plain text, if it is text. */
function summariserFor({ type, bytes }: RecognisedDocument): ReturnType<typeof summariserOf> {
  if (typeNames.some((known) => known === type)) return summariserOf(type);
  return looksBinary(bytes) ? undefined : summariserOf('Text');
}

/** Whether a fault may be gone in the next run, with the same document and settings. */
function passes(error: unknown): boolean {
  return (
    isGarnerError(error) && (error.retry === 'later' || isGarnerError(error, moduleErrors.MODULE_CHANGED))
  );
}

function ruleNote({ error, names }: RuleFailure): string {
  return `${sentence(error)} Left out, because a rule could not be applied: ${names.join(', ')}.`;
}

function sentence(error: unknown): string {
  const message = isGarnerError(error) ? error.message : String(error);
  // The name of a program or a setting at the beginning keeps its spelling.
  if (isGarnerError(error) && beginsWithGiven(message, error.data)) return `${message}.`;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function beginsWithGiven(message: string, data: unknown): boolean {
  const given = typeof data === 'object' && data !== null ? Object.values(data) : [];
  return given.some((value) => typeof value === 'string' && value !== '' && message.startsWith(value));
}
