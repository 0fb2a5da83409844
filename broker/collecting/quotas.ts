import { type Change, type Noted, oidOfBareHandle, type Replica, withApply } from '../../awareness/index.ts';
import type { Room } from '../../exchange/index.ts';
import { failure, type GarnerError } from '../../kernel/index.ts';
import type { Oid, ServerId } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';

/** How much a Broker collects; 0 is no limit. */
export interface QuotaLimits {
  /** Of one source. */
  readonly maxObjects: number;
  /** Bytes of the summaries of one source. */
  readonly maxBytes: number;
  /** Bytes on the disk below which collecting pauses. */
  readonly minFreeDisk: number;
}

export const noQuotas: QuotaLimits = { maxObjects: 0, maxBytes: 0, minFreeDisk: 0 };

export interface QuotasOptions {
  readonly limits: QuotaLimits;
  readonly store: Pick<ObjectStore, 'bytesOf'>;
  /** The free bytes of the store's disk. */
  readonly freeBytes: () => Promise<number>;
}

/** A source that was left without objects is compared again when this part of its quota is free, or all of it fits. */
const roomPart = 1 / 16;

/** Whether what is missing has no room, and the room is too small for comparing everything. */
function isTight(limit: number, used: number, missing: number): boolean {
  if (limit === 0) return false;
  const room = limit - used;
  return missing > Math.max(0, room) && room < Math.max(1, limit * roomPart);
}

function subjectOf(change: Change | Noted): Oid {
  if (change.kind === 'put') return change.object.oid;
  if (change.kind === 'refresh') return change.refresh.oid;
  return change.kind === 'note' ? (change.oid ?? oidOfBareHandle(change.handle)) : change.oid;
}

/** The limits of what a Broker collects from a source, and of its disk. Nothing stored is deleted for them. */
export class Quotas {
  readonly #options: QuotasOptions;

  constructor(options: QuotasOptions) {
    this.#options = options;
  }

  /** The room of a round with this source, by its own quota if it has one. */
  room(source: ServerId, replica: Replica, own: Partial<QuotaLimits>): SourceRoom {
    const { maxObjects, maxBytes } = own;
    const limits = {
      ...this.#options.limits,
      ...(maxObjects !== undefined && { maxObjects }),
      ...(maxBytes !== undefined && { maxBytes }),
    };
    const settings = {
      objects: `${maxObjects === undefined ? 'broker.' : ''}max-objects (${limits.maxObjects})`,
      bytes: `${maxBytes === undefined ? 'broker.' : ''}max-bytes (${limits.maxBytes})`,
    };
    return new SourceRoom({ ...this.#options, limits, settings }, source, replica);
  }

  /** Throws BROKER_NO_ROOM while the disk has less free space than the floor. */
  checkDisk(): Promise<void> {
    return checkDisk(this.#options);
  }
}

async function checkDisk({ limits, freeBytes }: QuotasOptions): Promise<void> {
  if (limits.minFreeDisk === 0) return;
  const free = await freeBytes();
  if (free < limits.minFreeDisk)
    throw failure(brokerErrors.BROKER_NO_ROOM, { free, min: limits.minFreeDisk });
}

interface RoomOptions extends QuotasOptions {
  /** The settings as an operator knows them. */
  readonly settings: { readonly objects: string; readonly bytes: string };
}

/** The room of one source in one round. Objects without room are neither stored nor listed in its copy. */
export class SourceRoom implements Room {
  readonly #options: RoomOptions;
  readonly #source: ServerId;
  /** The source's copy itself, by which the room is measured. */
  readonly #copy: Replica;
  #leftOut = 0;
  /** The limits for which something is left out. */
  readonly #reached = new Set<keyof RoomOptions['settings']>();
  #full: GarnerError | undefined;

  constructor(options: RoomOptions, source: ServerId, copy: Replica) {
    this.#options = options;
    this.#source = source;
    this.#copy = copy;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  /** Why objects were left out when the round ended, if some were. */
  get full(): GarnerError | undefined {
    return this.#full;
  }

  async isFull(offered: number): Promise<boolean> {
    const { maxObjects, maxBytes } = this.#options.limits;
    const { count: objects } = await this.#copy.state();
    const bytes = await this.#bytes();
    const missing = Math.max(0, offered - objects);
    if (isTight(maxObjects, objects, missing)) this.#reached.add('objects');
    const missingBytes = objects === 0 ? 0 : missing * (bytes / objects);
    if (isTight(maxBytes, bytes, missingBytes)) this.#reached.add('bytes');
    if (this.#reached.size === 0) return false;
    const limits = [...this.#reached].map((limit) => this.#options.settings[limit]);
    this.#full = failure(brokerErrors.BROKER_FULL, { objects, offered, limits });
    return true;
  }

  /** A source's copy that takes changes of what it has, and more only while there is room. */
  guard(replica: Replica): Replica {
    return withApply(replica, async (changes, marker) => {
      if (changes.some(({ kind }) => kind === 'put')) await checkDisk(this.#options);
      await replica.apply(await this.#fitting(changes), marker);
    });
  }

  async #fitting(changes: readonly (Change | Noted)[]): Promise<readonly (Change | Noted)[]> {
    const { maxObjects, maxBytes } = this.#options.limits;
    if (changes.length === 0 || (maxObjects === 0 && maxBytes === 0)) return changes;
    const oids = changes.map(subjectOf);
    const digests = await this.#copy.digests(oids);
    const present = new Set(oids.filter((_, at) => digests[at] !== undefined));
    let { count } = await this.#copy.state();
    let bytes = await this.#bytes();
    return changes.filter((change, at) => {
      const oid = oids[at] as Oid;
      if (change.kind === 'delete' && present.delete(oid)) count--;
      if (change.kind === 'delete' || change.kind === 'refresh' || present.has(oid)) return true;
      const size = change.kind === 'put' ? change.object.body.length : 0;
      const isBeyond = maxObjects > 0 && count >= maxObjects;
      if (isBeyond || (maxBytes > 0 && bytes + size > maxBytes)) {
        this.#reached.add(isBeyond ? 'objects' : 'bytes');
        this.#leftOut++;
        return false;
      }
      present.add(oid);
      count++;
      bytes += size;
      return true;
    });
  }

  async #bytes(): Promise<number> {
    const { store, limits } = this.#options;
    return limits.maxBytes === 0 ? 0 : store.bytesOf(this.#source);
  }
}
