import { failure } from '../../kernel/index.ts';
import { unnestErrors } from './errors.ts';
import { defaultUnnestLimits, type UnnestLimits } from './settings.ts';

const share = 3 / 4;

/** Usage of all layers of one document so far. */
interface Spent {
  total: number;
  /** Like `total`, without the bytes given back for refused bombs. */
  unpacked: number;
  members: number;
}

/** The limits of unpacking one document. `deeper(...)` has three quarters of the rest for a member. */
export class UnnestBudget {
  readonly limits: UnnestLimits;
  /** Number of wrappers around the documents unpacked with this budget. */
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

  /** Max bytes of one member, less the bytes that its wrappers hold. */
  get memberBytes(): number {
    return Math.max(0, Math.min(this.limits.maxMemberBytes, this.limits.maxHeldBytes - this.#held));
  }

  /**
   * Count bytes from a decoder or an archive, before they are stored. `path`: their document. @throws UNNEST_RATIO or
   * UNNEST_SIZE beyond a limit; then nothing is counted.
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

  /** Bytes that count for the ratio so far, for `giveBack`. */
  get unpacked(): number {
    return this.#spent.unpacked;
  }

  /** Uncount, for the ratio alone, the bytes since `before`, of a refused wrapper. The total still counts. */
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
