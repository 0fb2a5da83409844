import { type GroupFindings, GroupLearner } from './group-learner.ts';
import { type Group, handleAt, openingGroups, type SplitRequest, splitGroup } from './groups.ts';
import type { Handle } from './handle.ts';
import type { OrderedView, Placed } from './ordered-view.ts';
import type { ClientDialogue, StoreDialogue } from './protocol-messages.ts';
import type { LearningStep } from './replica.ts';
import type { GroupScheme } from './scheme.ts';

/** Requests in one statement, and groups that answer it. */
const statementRequests = 128;
const statementGroups = 512;

/** The store's side of DIST-UNI-AWARE (paper, figure 11). It holds no state between two statements. */
export async function sendGroups(
  scheme: GroupScheme,
  view: OrderedView,
  dialogue: StoreDialogue,
): Promise<void> {
  await sayGroups(await openingGroups(view, scheme.rule), dialogue);
  for (;;) {
    const statement = await dialogue.hear();
    if (statement?.kind !== 'split') return;
    const groups: Group[] = [];
    for (const request of statement.requests) groups.push(...(await splitGroup(view, scheme.rule, request)));
    await sayGroups(groups, dialogue);
  }
}

/** Groups in statements of a bounded size; `end` follows the last of an answer. */
async function sayGroups(groups: readonly Group[], dialogue: StoreDialogue): Promise<void> {
  for (let at = 0; at < groups.length; at += statementGroups)
    await dialogue.say({ kind: 'groups', groups: groups.slice(at, at + statementGroups) });
  await dialogue.say({ kind: 'end' });
}

/**
 * The client's side: lessons as they become certain. An object that has moved to another position is learned, not
 * forgotten. `learn` learns objects at once; `handleLength` is the length of the handle at the end of a position.
 */
export async function* learnGroups(
  scheme: GroupScheme,
  view: OrderedView,
  dialogue: ClientDialogue,
  {
    learn,
    handleLength,
    bare = false,
    maxGroups = Number.POSITIVE_INFINITY,
  }: {
    readonly learn: (handles: readonly Handle[]) => Promise<readonly Placed[]>;
    readonly handleLength: number;
    /** Only the signature of an object is wanted. */
    readonly bare?: boolean;
    /** Max groups that an honest store sends: beyond it the run ends with a TypeError. */
    readonly maxGroups?: number;
  },
): AsyncIterable<readonly LearningStep[]> {
  const learner = new GroupLearner(view, scheme, (position) => handleAt(position, handleLength), learn);
  const missing = new Map<Handle, Placed>();
  const newest: GroupFindings['fetch'][number][] = [];
  let received = 0;
  let pending: SplitRequest[] = [];
  for (;;) {
    for (;;) {
      const statement = await dialogue.hear();
      if (statement.kind === 'end') break;
      if (statement.kind !== 'groups') throw new TypeError(`${statement.kind} was not expected among groups`);
      received += statement.groups.length;
      if (received > maxGroups) throw new TypeError(`more than ${maxGroups} groups cannot be needed`);
      const { fetch, forget, split } = await learner.hear(statement.groups);
      if (scheme.compresses === 'signatures')
        yield fetch.map(({ handle, signature }) =>
          bare && signature !== undefined
            ? { kind: 'note', handle, signature, lsn: 0 }
            : { kind: 'fetch', object: handle },
        );
      else newest.push(...fetch);
      for (const placed of forget) missing.set(placed.handle, placed);
      pending.push(...split);
    }
    if (pending.length === 0) break;
    await dialogue.say({ kind: 'split', requests: pending.slice(0, statementRequests) });
    pending = pending.slice(statementRequests);
  }
  await dialogue.say({ kind: 'end' });
  // In the order of their timestamps, so that after a cut no object is hidden by a later one that was learned.
  newest.sort((a, b) => Buffer.compare(a.data ?? new Uint8Array(), b.data ?? new Uint8Array()));
  yield newest.map(({ handle }) => ({ kind: 'fetch', object: handle }));
  // Only now is it certain that the handle of an old version is not learned elsewhere.
  yield [...missing.keys()]
    .filter((handle) => !learner.wanted.has(handle))
    .map((handle) => ({ kind: 'forget', object: handle, lsn: 0 }));
}
