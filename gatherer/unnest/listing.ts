import type { GarnerError } from '../../kernel/index.ts';
import { lines } from '../../readers/archives/index.ts';
import { UnnestBudget } from './budget.ts';
import { contentName, shownName } from './member-path.ts';
import { openWrapper, toolFor, type UnnestEnvironment } from './open-wrapper.ts';
import type { UnnestLimits } from './settings.ts';
import { asListing } from './tool-archive.ts';
import { failureOf } from './unnest.ts';
import { type WrapperFormat, wrapperFormat } from './wrapper-format.ts';

/** One name in an archive. */
export interface ListedMember {
  /** As the archive spells it, at most 200 characters; for showing, not for opening. */
  readonly path: string;
  /** Unpacked bytes, if the archive has the size in its directory or headers. */
  readonly size?: number;
  /** Seconds since 1970. */
  readonly modified?: number;
}

/** The members of an archive, by name. */
export interface ArchiveListing {
  readonly format: WrapperFormat;
  readonly members: readonly ListedMember[];
  /** False when there are more, or the archive is damaged after them. */
  readonly complete: boolean;
  /** The fault of the archive that ends the listing early. */
  readonly error?: GarnerError;
}

/** Limits of one listing: a compressed archive must be unpacked to be listed, which costs bytes. */
export interface ListingLimits extends Partial<UnnestLimits> {
  readonly maxListed: number;
}

export const defaultListingLimits: ListingLimits = { maxListed: 1000 };

/**
 * Names and sizes of the members of an archive, without opening them. Undefined for a document that is no readable
 * archive.
 * @throws nothing but the reason of an aborted signal
 */
export async function listMembers(
  type: string,
  bytes: Uint8Array,
  name: string,
  limits: ListingLimits = defaultListingLimits,
  environment: UnnestEnvironment = {},
): Promise<ArchiveListing | undefined> {
  const format = wrapperFormat(type, bytes, name);
  if (format === undefined) return undefined;
  const label = shownName(name) || 'document';
  const members: ListedMember[] = [];
  try {
    for await (const member of listed(format, bytes, label, limits, environment)) {
      environment.signal?.throwIfAborted();
      if (members.length >= limits.maxListed) return { format, members, complete: false };
      members.push(member);
    }
    return { format, members, complete: true };
  } catch (error) {
    environment.signal?.throwIfAborted();
    return { format, members, complete: false, error: failureOf(error, label) };
  }
}

async function* listed(
  format: WrapperFormat,
  bytes: Uint8Array,
  label: string,
  limits: ListingLimits,
  environment: UnnestEnvironment,
): AsyncGenerator<ListedMember> {
  const budget = new UnnestBudget(bytes.length, limits);
  if (byProgram.has(format)) {
    yield* printed(bytes, label, budget, environment);
    return;
  }
  const opened = await openWrapper(format, bytes, label, budget, environment);
  if (opened.kind === 'content') {
    await opened.close();
    yield { path: contentName(label) };
    return;
  }
  for await (const { name, size, modified, folder } of opened.entries) {
    budget.countMember(label);
    if (folder === true) continue;
    yield {
      path: shownName(name),
      ...(size === undefined ? {} : { size }),
      ...(modified === undefined ? {} : { modified: Math.floor(modified) }),
    };
  }
}

const byProgram: ReadonlySet<WrapperFormat> = new Set<WrapperFormat>(['7z', 'rar', 'lha', 'cab', 'iso']);

// Kind and mode, links, owner, group, size, date of three words, name; the date is ignored, because its form differs
// with age.
const printedLine = /^([-a-z])[-a-zA-Z]{9}\S? +\d+ +\S+ +\S+ +(\d{1,15}) +\S+ +\S+ +\S+ (.*)$/;
const maxPrinted = 64 * 1024;

async function* printed(
  bytes: Uint8Array,
  label: string,
  budget: UnnestBudget,
  environment: UnnestEnvironment,
): AsyncGenerator<ListedMember> {
  const run = { program: toolFor(label, environment), seconds: budget.limits.toolSeconds };
  const { signal } = environment;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of asListing(bytes, { ...run, signal })) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    yield* printedMembers(text.slice(0, end));
    text = text.slice(end, end + maxPrinted);
  }
  yield* printedMembers(text);
}

function* printedMembers(text: string): Generator<ListedMember> {
  for (const { line } of lines(text)) {
    const [, kind, size, name] = printedLine.exec(line.slice(0, 5000)) ?? [];
    if (kind === '-' && name !== undefined) yield { path: shownName(name), size: Number(size) };
  }
}
