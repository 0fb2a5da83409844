import type { GarnerError } from '../../kernel/index.ts';
import { type DocumentInput, documentName, partUrl } from '../../readers/document/index.ts';
import type { ExplodedRecord } from '../../readers/records/index.ts';
import { decodeText } from '../../readers/text/index.ts';
import { type Recognised, Recogniser, SiblingRules, type TypeName } from '../recognise/index.ts';
import type { DistributionObjects } from '../settings.ts';
import { type Summary, sourceDistributions } from '../summarise/index.ts';
import { unnestErrors } from '../unnest/errors.ts';
import {
  carrierTypes,
  type ExplodableFormat,
  explodableFormat,
  explode,
  isMember,
  type Member,
  type Refused,
  UnnestBudget,
  unnest,
  unnestableTypes,
} from '../unnest/index.ts';
import { BufferedMembers } from './buffered-members.ts';
import type { PipelinePlan } from './pipeline-plan.ts';
import type { Product } from './product.ts';
import { DecodingReport, type PipelineStage, pipelineStage } from './product.ts';
import { select } from './select.ts';
import { typesTried } from './summary-draft.ts';
import { type Made, SummaryMaker } from './summary-maker.ts';

/** A document somewhere inside the outermost one. */
interface Inner {
  readonly part: string;
  readonly document: DocumentInput;
  readonly budget: UnnestBudget;
  /** Set for the records of an exploded file, whose type is known. */
  readonly type?: string;
  /** Names of the documents in the same folder or wrapper. */
  readonly siblings: readonly string[];
  /** Why it is incomplete, if it is. */
  readonly cut?: GarnerError;
}

/** Types of wrappers that are summarised themselves too. */
const alsoDocuments: ReadonlySet<string> = new Set([...carrierTypes, 'Mail', 'News', 'TNEF']);

/** Types that may hold a source distribution. */
const archives: ReadonlySet<string> = new Set([
  'Archive',
  'Compressed',
  'CompressedTar',
  'GNUCompressed',
  'GNUCompressedTar',
  'PCCompressed',
  'ShellArchive',
  'Tar',
]);

const distribution: TypeName = 'SourceDistribution';

/** Max wrappers around a source distribution. A deeper one is unpacked as usual, without buffering. */
const maxDistributionDepth = 1;

const deletedRule = 'a rule deletes it (gatherer.rules)';

/** Max bytes of documents that wait until their siblings are known. Further ones are summarised at once. */
const heldBytes = 64 * 1024 * 1024;

/** Essence (harvest.txt 3.1, figure 5): recognition, selection, unnesting, summarising. */
export class DocumentPipeline {
  readonly #plan: PipelinePlan;
  readonly #recogniser: Recogniser;
  readonly #maker: SummaryMaker;
  readonly #wanted: (type: string) => boolean;
  readonly #stopped: (type: string) => boolean;
  readonly #siblings: SiblingRules;
  readonly #distributions: DistributionObjects;

  /** Throws GATHERER_UNKNOWN_TYPE, RULE_CONDITION, RULE_PATTERN. */
  constructor(plan: PipelinePlan) {
    this.#plan = plan;
    this.#recogniser = new Recogniser(plan.types);
    this.#maker = new SummaryMaker(plan, this.#recogniser);
    const { stop = [], allow = [] } = plan.selection;
    const { byUrl, byName, byContent } = plan.types;
    const own = [...byUrl, ...byName, ...byContent].map(({ type }) => type);
    this.#wanted = select(plan.selection, own);
    const kept = select({ stop }, own);
    this.#stopped = (type) => !kept(type);
    // When an allow list leaves out source distributions, their members of the listed types are still wanted.
    this.#distributions = select({ allow }, own)(distribution) ? plan.unnest.distributions : 'members';
    this.#siblings = new SiblingRules(plan.siblings, (name) => this.#recogniser.typeOfName(name));
  }

  /** The products of one document. Rejects only with the reason of the signal; no content makes it fail. */
  async *process(document: DocumentInput, signal?: AbortSignal): AsyncGenerator<Product> {
    const budget = new UnnestBudget(document.bytes.length, this.#plan.unnest.limits);
    yield* this.#file({ part: '', document, budget, siblings: document.siblings ?? [] }, signal);
  }

  async *#file(inner: Inner, signal: AbortSignal | undefined): AsyncGenerator<Product> {
    signal?.throwIfAborted();
    const { part, document } = inner;
    const recognised = this.#recogniser.recognise(document, inner.type);
    const { type } = recognised;
    const report = (stage: PipelineStage['stage'], result: string) =>
      pipelineStage.publish({ stage, url: document.url, part, result });
    const leftOut = (rule: string): Product => {
      report('select', `left out: ${rule}`);
      return { kind: 'left-out', part, type, rule };
    };
    const refuted = recognised.refuted.join(' and ');
    report(
      'recognise',
      `${type}, by ${recognised.by}${refuted === '' ? '' : `; its bytes refute ${refuted}`}`,
    );
    if (this.#stopped(type)) return yield leftOut(`type ${type} is left out (gatherer.stop)`);
    const source = this.#siblings.source(document.name, type, inner.siblings);
    if (source !== undefined) return yield leftOut(`${type} beside its source (gatherer.siblings)`);
    let summarised = 0;
    let deleted = 0;
    let refused: Extract<Product, { kind: 'refused' }> | undefined;
    const format = this.#explodable(inner, type);
    const inside =
      format === undefined
        ? this.#inside(inner, recognised, signal)
        : this.#records(inner, format, recognised.charset, signal);
    let settled = false;
    for await (const product of inside) {
      if (product.kind === 'summary') summarised++;
      // A document that a rule deleted counts as unpacked.
      if (product.kind === 'left-out' && product.rule === deletedRule) deleted++;
      if (product.kind === 'left-out' && product.part === part) settled ||= product.type === distribution;
      if (product.kind === 'refused') refused ??= product;
      yield product;
    }
    if (format !== undefined || (isWrapper(type) && (summarised > 0 || !alsoDocuments.has(type))))
      report(
        format === undefined ? 'unnest' : 'explode',
        `${summarised} ${summarised === 1 ? 'document' : 'documents'} in it with a summary`,
      );
    if (settled || (summarised + deleted > 0 && (format !== undefined || !alsoDocuments.has(type)))) return;
    if (!this.#wanted(type)) return yield leftOut(`type ${type} is left out (gatherer.allow)`);
    const notes = [
      ...(inner.cut === undefined ? [] : [cutNote(inner.cut)]),
      ...(refused === undefined ? [] : [`Not unpacked: ${refused.reason}`]),
    ];
    const decodings = pipelineStage.isWatched ? new DecodingReport() : undefined;
    const made = await this.#maker.summary(this.#readable(recognised, refused?.code), notes, signal);
    for (const line of decodings?.end() ?? []) report('decode', line);
    const read = made.summary?.type ?? type;
    if (read !== type && !this.#wanted(read))
      return yield leftOut(`type ${read} is left out (gatherer.allow)`);
    if (made.summary !== undefined) report('summarise', summariseResult(made.summary, recognised));
    yield productOf(part, read, made);
  }

  /** A document that is no wrapper, contrary to its type, as text if it is text. `code`: why it was not unpacked. */
  #readable(document: Recognised, code: string | undefined): Recognised {
    const isNone = code === unnestErrors.UNNEST_BROKEN.code || code === unnestErrors.UNNEST_FORMAT.code;
    if (!isNone || alsoDocuments.has(document.type) || this.#recogniser.isShown(document)) return document;
    return this.#recogniser.others(document).at(-1) ?? document;
  }

  /** The format of a file of many objects, if such files are exploded; else undefined. */
  #explodable({ document, type: known }: Inner, type: string): ExplodableFormat | undefined {
    if (known !== undefined || document.abridged !== undefined) return undefined;
    const format = explodableFormat(type, document.bytes, document.name);
    return format !== undefined && this.#plan.unnest.explode.includes(format) ? format : undefined;
  }

  async *#records(
    inner: Inner,
    format: ExplodableFormat,
    charset: string | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Product> {
    const { document } = inner;
    const budget = inner.budget.deeper(document);
    const decode = (bytes: Uint8Array) => decodeText(bytes, charset);
    for await (const record of explode(format, document.bytes, documentName(document), budget, decode)) {
      signal?.throwIfAborted();
      if ('bytes' in record) yield* this.#file(recordIn(inner, record, budget), signal);
      else yield refusedIn(inner, record);
    }
  }

  /** The products of a wrapper's members. Their names show whether it is a source distribution. */
  async *#inside(
    inner: Inner,
    wrapper: Recognised,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Product> {
    const { type } = wrapper;
    const { document, budget } = inner;
    if (!this.#plan.unnest.open || !isWrapper(type) || document.abridged !== undefined) return;
    const environment = signal === undefined ? {} : { signal };
    const deeper = budget.deeper(document);
    const members = unnest(type, document.bytes, document.name, budget, environment);
    const isKnown = type === distribution;
    const mayBe = isKnown || (archives.has(type) && budget.depth <= maxDistributionDepth);
    if (this.#distributions === 'members' || !mayBe)
      return yield* this.#members(inner, members, deeper, signal);
    if (isKnown) return yield* this.#distribution(inner, wrapper, members, deeper, signal);
    // Deeper wrappers buffer less, because the wrappers around them may buffer too.
    await using held = await BufferedMembers.begin(members, heldBytes >> budget.depth);
    if (held.isDistribution) yield* this.#distribution(inner, wrapper, held, deeper, signal);
    else yield* this.#members(inner, held, deeper, signal);
  }

  /** A source distribution as one object, and its members if they are wanted too. */
  async *#distribution(
    inner: Inner,
    wrapper: Recognised,
    members: AsyncIterable<Member | Refused>,
    budget: UnnestBudget,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Product> {
    const { part, document, cut } = inner;
    const { url } = document;
    if (wrapper.type !== distribution)
      pipelineStage.publish({ stage: 'recognise', url, part, result: `${distribution}, by the names in it` });
    const leftOut = (rule: string): Product => ({ kind: 'left-out', part, type: distribution, rule });
    if (this.#stopped(distribution)) return yield leftOut(`type ${distribution} is left out (gatherer.stop)`);
    const { DistributionReader } = await sourceDistributions();
    const reader = new DistributionReader(documentName(document), this.#plan.summarise);
    const notes = cut === undefined ? [] : [cutNote(cut)];
    const read = async function* (): AsyncGenerator<Member | Refused> {
      for await (const found of members) {
        signal?.throwIfAborted();
        if (isMember(found)) reader.add(found);
        // A refused link needs no note: links are common in such archives, and their targets are there too.
        else if (notes.length === 0 && found.error.code !== unnestErrors.UNNEST_PATH.code)
          notes.push(`Not unpacked: ${found.error.message}`);
        yield found;
      }
    };
    if (this.#distributions === 'both') yield* this.#members(inner, read(), budget, signal);
    else for await (const found of read()) if (!isMember(found)) yield refusedIn(inner, found);
    const whole = { ...wrapper, type: distribution };
    const made = await this.#maker.summary(whole, notes, signal, () => reader.extract());
    const result = `${made.summary?.attributes.length} attributes`;
    if (made.summary !== undefined) pipelineStage.publish({ stage: 'summarise', url, part, result });
    yield productOf(part, distribution, made);
  }

  /** The products of members. A member that a sibling rule may leave out waits until all names are known. */
  async *#members(
    inner: Inner,
    members: AsyncIterable<Member | Refused>,
    deeper: UnnestBudget,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Product> {
    const names = new Map<string, string[]>();
    const waiting: Member[] = [];
    let waitingBytes = 0;
    for await (const found of members) {
      if (!isMember(found)) {
        yield refusedIn(inner, found);
        continue;
      }
      const [folder, name] = splitPath(found.path);
      const beside = names.get(folder) ?? [];
      names.set(folder, beside);
      beside.push(name);
      const waits = this.#siblings.concerns(this.#recogniser.typeOfName(name) ?? '');
      if (waits && waitingBytes + found.bytes.length <= heldBytes) {
        waiting.push(found);
        waitingBytes += found.bytes.length;
      } else yield* this.#file(memberIn(inner, found, deeper, []), signal);
    }
    for (const member of waiting) {
      const beside = names.get(splitPath(member.path)[0]) ?? [];
      yield* this.#file(memberIn(inner, member, deeper, beside), signal);
    }
  }
}

/** Whether documents of a type contain other documents. */
function isWrapper(type: string): boolean {
  return unnestableTypes.has(type) || type === distribution;
}

function productOf(part: string, type: string, { summary, passing }: Made): Product {
  const product: Product =
    summary === undefined
      ? { kind: 'left-out', part, type, rule: deletedRule }
      : { kind: 'summary', part, summary };
  return passing ? { ...product, passing } : product;
}

function cutNote(cut: GarnerError): string {
  return `Only its beginning could be unpacked: ${cut.message}`;
}

function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, slash + 1), path.slice(slash + 1)];
}

function partIn(inner: Inner, path: string): string {
  return inner.part === '' ? path : `${inner.part}/${path}`;
}

function refusedIn(inner: Inner, { path, error }: Refused): Product {
  const refused = {
    kind: 'refused',
    part: partIn(inner, path),
    code: error.code,
    reason: error.message,
  } as const;
  return error.retry === 'later' ? { ...refused, passing: true } : refused;
}

/** The URL that a wrapper's only content would have without the wrapper. */
function unwrappedUrl({ url, unwrappedUrl: outer = url }: DocumentInput, path: string): string {
  const [whole = ''] = outer.split(/[?#]/, 1);
  return whole.slice(0, whole.lastIndexOf('/') + 1) + encodeURIComponent(splitPath(path)[1]);
}

function memberIn(inner: Inner, member: Member, budget: UnnestBudget, siblings: readonly string[]): Inner {
  const { path, bytes, modified, cut } = member;
  const outer = inner.document;
  // A wrapper's only content is the document itself in another presentation.
  const part = member.kind === 'content' ? inner.part : partIn(inner, path);
  const lastModified = modified ?? outer.lastModified;
  return {
    part,
    budget,
    siblings,
    ...(cut === undefined ? {} : { cut }),
    document: {
      url: partUrl(outer.url, part),
      name: splitPath(path)[1],
      bytes,
      ...(lastModified === undefined ? {} : { lastModified }),
      ...(outer.robots === undefined ? {} : { robots: outer.robots }),
      ...(member.kind === 'content' ? { unwrappedUrl: unwrappedUrl(outer, path) } : {}),
      // The MD5 of such content is that of the published bytes.
      ...(member.kind === 'content' && outer.md5 !== undefined ? { md5: outer.md5 } : {}),
    },
  };
}

function recordIn(inner: Inner, { path, type, bytes }: ExplodedRecord, budget: UnnestBudget): Inner {
  const { url, lastModified, robots } = inner.document;
  const part = partIn(inner, path);
  const document = {
    url: partUrl(url, part),
    name: path,
    bytes,
    ...(lastModified === undefined ? {} : { lastModified }),
    ...(robots === undefined ? {} : { robots }),
  };
  return { part, type, document, budget, siblings: [] };
}

/** What was made of a document, and which types its readers refused. */
function summariseResult({ type, attributes }: Summary, recognised: Recognised): string {
  const tried = new Map(attributes).get(typesTried)?.split('\n') ?? [];
  const refused = tried.filter((one) => recognised.refuted.every((refuted) => refuted !== one));
  const as = type === recognised.type ? '' : ` as ${type}`;
  return `${attributes.length} attributes${as}${refused.length === 0 ? '' : `; its reader refused ${refused.join(' and ')}`}`;
}
