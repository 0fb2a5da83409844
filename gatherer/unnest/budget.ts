import { failure } from '../../kernel/index.ts';
import { unnestErrors } from './errors.ts';
import { defaultUnnestLimits, type UnnestLimits } from './settings.ts';

const share = 3 / 4;

/** What all layers of one document have used so far. */
interface Spent {
  total: number;
  /** Like `total`, without what was given back for refused bombs. */
  unpacked: number;
  members: number;
}

/**
 * What may still be unpacked from one outermost document. All its layers share it: make one for a document, and
 * give `deeper(...)` to the wrappers that its members are, made when they or their wrapper are opened. What is
 * deeper may use three quarters of what is left then, so a bomb in the middle leaves room for its siblings.
 */
export class UnnestBudget {
  readonly limits: UnnestLimits;
  /** How many wrappers are around what is unpacked with this budget. */
  readonly depth: number;
  readonly #spent: Spent;
  readonly #maxUnpacked: number;
  readonly #maxTotal: number;
  readonly #maxMembers: number;
  readonly #held: number;

  /** `documentBytes`: the size of the outermost document. */
  constructor(documentBytes: number, limits: Partial<UnnestLimits> = {}, parent?: BudgetShare) {
    this.limits = { ...defaultUnnestLimits, ...limits };
    this.depth = parent?.depth ?? 0;
    this.#spent = parent?.spent ?? { total: 0, unpacked: 0, members: 0 };
    this.#maxTotal = parent?.maxTotal ?? this.limits.maxTotalBytes;
    this.#maxMembers = parent?.maxMembers ?? this.limits.maxMembers;
    this.#maxUnpacked =
      parent?.maxUnpacked ?? this.limits.freeBytes + this.limits.maxRatio * Math.max(0, documentBytes);
    this.#held = parent?.held ?? 0;
  }

  /** The budget of a wrapper that is itself a member, made when that wrapper is opened. */
  deeper(member: { readonly bytes: Uint8Array }): UnnestBudget {
    const spent = this.#spent;
    return new UnnestBudget(0, this.limits, {
      depth: this.depth + 1,
      spent,
      maxUnpacked: this.#maxUnpacked,
      maxTotal: spent.total + share * Math.max(0, this.#maxTotal - spent.total),
      maxMembers: spent.members + Math.floor(share * Math.max(0, this.#maxMembers - spent.members)),
      held: this.#held + member.bytes.length,
    });
  }

  /** Bytes one member may have, what its own wrappers hold taken off. */
  get memberBytes(): number {
    return Math.max(0, Math.min(this.limits.maxMemberBytes, this.limits.maxHeldBytes - this.#held));
  }

  /**
   * Count bytes that come out of a decoder or an archive, before they are kept. `path` is what they belong to.
   * @throws UNNEST_RATIO or UNNEST_SIZE when that is too much; nothing is counted then.
   */
  charge(bytes: number, path: string): void {
    if (this.#spent.unpacked + bytes > this.#maxUnpacked)
      throw failure(unnestErrors.UNNEST_RATIO, { path, ratio: this.limits.maxRatio });
    if (this.#spent.total + bytes > this.#maxTotal)
      throw failure(unnestErrors.UNNEST_SIZE, {
        path,
        bytes: this.limits.maxTotalBytes,
        what: 'with all that its document holds',
      });
    this.#spent.total += bytes;
    this.#spent.unpacked += bytes;
  }

  /** @throws UNNEST_COUNT when one more member is too many; the wrapper ends there. */
  countMember(path: string): void {
    if (this.#spent.members >= this.#maxMembers)
      throw failure(unnestErrors.UNNEST_COUNT, { path, members: this.limits.maxMembers });
    this.#spent.members++;
  }

  /** What counts for the ratio so far, to be given to `giveBack`. */
  get unpacked(): number {
    return this.#spent.unpacked;
  }

  /**
   * Forget, for the ratio alone, what was unpacked since it stood at `before`: that wrapper was refused, and its
   * siblings have a right to try. The total is not forgotten, so this ends too.
   */
  giveBack(before: number): void {
    this.#spent.unpacked = Math.min(this.#spent.unpacked, before);
  }
}

interface BudgetShare {
  readonly depth: number;
  readonly spent: Spent;
  readonly maxUnpacked: number;
  readonly maxTotal: number;
  readonly maxMembers: number;
  readonly held: number;
}
