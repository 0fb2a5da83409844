import { type DistributionSigns, sourceDistributions } from '../summarise/index.ts';
import { isMember, type Member, type Refused } from '../unnest/index.ts';

/** Cost of a name besides its characters, in bytes. */
const nameCost = 128;

/** An archive's members, buffered at first, so that the names show whether it is a source distribution. */
export class BufferedMembers implements AsyncIterable<Member | Refused>, AsyncDisposable {
  /** Whether the names are those of a source distribution. */
  readonly isDistribution: boolean;
  readonly #held: (Member | Refused)[];
  readonly #rest: AsyncIterator<Member | Refused>;

  private constructor(
    isDistribution: boolean,
    held: (Member | Refused)[],
    rest: AsyncIterator<Member | Refused>,
  ) {
    this.isDistribution = isDistribution;
    this.#held = held;
    this.#rest = rest;
  }

  /** Buffer members up to `max` bytes. Rejects with the errors of `members`. */
  static async begin(members: AsyncIterable<Member | Refused>, max: number): Promise<BufferedMembers> {
    const rest = members[Symbol.asyncIterator]();
    let signs: DistributionSigns | undefined;
    const held: (Member | Refused)[] = [];
    let bytes = 0;
    while (bytes < max) {
      const { done, value } = await rest.next();
      if (done === true) break;
      held.push(value);
      bytes += nameCost + 2 * value.path.length;
      if (!isMember(value)) continue;
      bytes += value.bytes.length;
      if (value.kind === 'content') continue;
      signs ??= new (await sourceDistributions()).DistributionSigns();
      signs.add(value.path);
    }
    return new BufferedMembers(signs?.found ?? false, held, rest);
  }

  /** All members, in their order. Read them once. */
  async *[Symbol.asyncIterator](): AsyncIterator<Member | Refused> {
    for (let at = 0; at < this.#held.length; at++) {
      const found = this.#held[at];
      if (found === undefined) continue;
      // Frees the bytes as soon as they are not needed.
      delete this.#held[at];
      yield found;
    }
    this.#held.length = 0;
    for (let next = await this.#rest.next(); next.done !== true; next = await this.#rest.next())
      yield next.value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rest.return?.();
  }
}
