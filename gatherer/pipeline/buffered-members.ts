import { type DistributionSigns, sourceDistributions } from '../summarise/index.ts';
import { isMember, type Member, type Refused } from '../unnest/index.ts';

/** What a name costs beside its characters, in bytes. */
const nameCost = 128;

/**
 * The members of an archive whose beginning was taken out already, to tell by the names whether it is a source
 * distribution. An archive that is smaller than the bound is judged by all its names, a larger one by its first.
 */
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

  /** Take members until there are no more or `most` bytes are held. Rejects as `members` does. */
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

  /** All members, in their order. To be read once. */
  async *[Symbol.asyncIterator](): AsyncIterator<Member | Refused> {
    for (let at = 0; at < this.#held.length; at++) {
      const found = this.#held[at];
      if (found === undefined) continue;
      // Its bytes are not held any longer than they are needed.
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
