import type { Member, Refused } from './member.ts';

type Unnest = typeof import('./unnest.ts').unnest;
type ListMembers = typeof import('./listing.ts').listMembers;

/** `unnest` of unnest.ts, loaded with the readers of archives at the first wrapper. */
export async function* unnest(...given: Parameters<Unnest>): AsyncGenerator<Member | Refused> {
  const loaded = await import('./unnest.ts');
  yield* loaded.unnest(...given);
}

/** `listMembers` of listing.ts, loaded in the same way. */
export async function listMembers(...given: Parameters<ListMembers>): ReturnType<ListMembers> {
  const loaded = await import('./listing.ts');
  return loaded.listMembers(...given);
}
