import { isGarnerError } from '../kernel/index.ts';
import { SummaryCustomisation } from './customise/index.ts';
import type { PipelinePlan } from './pipeline-plan.ts';
import { summaryReduced } from './summarise-events.ts';
import type { Extract, RecognisedDocument, Summary } from './summariser.ts';
import { decodeText, summariserOf } from './summarisers/index.ts';
import { SummaryDraft } from './summary-draft.ts';

/** Makes the summary of one document by its type: Garner's summariser, then what the operator adds. */
export class SummaryMaker {
  readonly #plan: PipelinePlan;
  readonly #customisation: SummaryCustomisation;

  /** Throws RULE_CONDITION, RULE_PATTERN. */
  constructor(plan: PipelinePlan) {
    this.#plan = plan;
    this.#customisation = new SummaryCustomisation(plan.customise);
  }

  /**
   * The summary; undefined when a rule of the operator deletes it. Never rejects for the content: what cannot be read
   * gets the plain summary with a `Summary-Note`. `notes`: what is known to be missing already. `read`: what Garner's
   * summariser finds, where that came of its members as they were taken out.
   */
  async summary(
    document: RecognisedDocument,
    notes: readonly string[],
    signal?: AbortSignal,
    read?: () => Extract,
  ): Promise<Summary | undefined> {
    const { programs, modules } = this.#customisation;
    const replaced = programs.replaces(document.type) || modules.replaces(document.type);
    const entry = replaced ? undefined : summariserOf(document.type);
    const draft = new SummaryDraft(
      document,
      this.#plan.summarise,
      read === undefined ? entry?.reads : undefined,
    );
    for (const note of notes) draft.note(note);
    if (entry !== undefined) {
      try {
        if (read !== undefined) draft.take(read());
        else if (draft.readable !== undefined) {
          const summariser = await entry.load();
          draft.take(await summariser(draft.readable, this.#plan.summarise));
        }
      } catch (error) {
        signal?.throwIfAborted();
        draft.fail(error);
      }
    }
    await this.#ownFields(document, draft, signal);
    if (draft.notes.length > 0)
      summaryReduced.publish({ url: document.url, type: document.type, reasons: draft.notes });
    return this.#ruled(document, draft);
  }

  /** What the operator's patterns and program or module find goes before what Garner found under the same name. */
  async #ownFields(document: RecognisedDocument, draft: SummaryDraft, signal?: AbortSignal): Promise<void> {
    const { programs, modules } = this.#customisation;
    const text = () => decodeText(document.bytes, document.charset);
    draft.override(this.#customisation.quickFields(document.type, text));
    try {
      draft.override(await programs.fields(document, signal));
      if (modules.has(document.type))
        draft.override(await modules.fields(document, draft.summary().attributes));
    } catch (error) {
      signal?.throwIfAborted();
      draft.note(sentence(error));
    }
  }

  async #ruled(document: RecognisedDocument, draft: SummaryDraft): Promise<Summary | undefined> {
    try {
      return await this.#customisation.apply(document, draft.summary());
    } catch (error) {
      draft.note(sentence(error));
      return draft.summary();
    }
  }
}

function sentence(error: unknown): string {
  const message = isGarnerError(error) ? error.message : String(error);
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
