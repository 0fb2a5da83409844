import { type GroupFindings, GroupLearner } from './group-learner.ts';
import { type Group, handleAt, openingGroups, type SplitRequest, splitGroup } from './groups.ts';
import type { Handle } from './handle.ts';
import type { LearningStep } from './learning-step.ts';
import type { OrderedView, Placed } from './ordered-view.ts';
import type { ClientDialogue, StoreDialogue } from './protocol-messages.ts';
import type { GroupScheme } from './scheme.ts';

/** Requests in one statement, and groups that answer it. */
const statementRequests = 128;
const statementGroups = 512;

/**
 * The store's side of DIST-UNI-AWARE (paper, figure 11): groups of everything, then the parts of those that the
 * client finds different, a level at a time. Keeps nothing between two statements.
 */
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

/** Groups in statements of a bounded size; the last of an answer is marked by being followed by `end`. */
async function sayGroups(groups: readonly Group[], dialogue: StoreDialogue): Promise<void> {
  for (let at = 0; at < groups.length; at += statementGroups)
    await dialogue.say({ kind: 'groups', groups: groups.slice(at, at + statementGroups) });
  await dialogue.say({ kind: 'end' });
}

/**
 * The client's side: lessons as they become certain. An object that is found to have moved to another position is
 * learned, not forgotten. `learn` learns objects at once; `handleLength` is that of a handle at a position's end.
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
    /** Of an object no more than its signature is wanted. */
    readonly bare?: boolean;
    /** An honest store never tells of more groups than this: beyond it the run ends with a TypeError. */
    readonly maxGroups?: number;
  },
): AsyncIterable<readonly LearningStep[]> {
  const learner = new GroupLearner(view, scheme, (position) => handleAt(position, handleLength), learn);
  const gone = new Map<Handle, Placed>();
  const newest: GroupFindings['fetch'][number][] = [];
  let told = 0;
  let pending: SplitRequest[] = [];
  for (;;) {
    for (;;) {
      const statement = await dialogue.hear();
      if (statement.kind === 'end') break;
      if (statement.kind !== 'groups') throw new TypeError(`${statement.kind} was not expected among groups`);
      told += statement.groups.length;
      if (told > maxGroups) throw new TypeError(`more than ${maxGroups} groups cannot be needed`);
      const { fetch, forget, split } = await learner.hear(statement.groups);
      if (scheme.compresses === 'signatures')
        yield fetch.map(({ handle, signature }) =>
          bare && signature !== undefined
            ? { kind: 'note', handle, signature, lsn: 0 }
            : { kind: 'fetch', object: handle },
        );
      else newest.push(...fetch);
      for (const placed of forget) gone.set(placed.handle, placed);
      pending.push(...split);
    }
    if (pending.length === 0) break;
    await dialogue.say({ kind: 'split', requests: pending.slice(0, statementRequests) });
    pending = pending.slice(statementRequests);
  }
  await dialogue.say({ kind: 'end' });
  // In the order of their timestamps, so that a cut leaves none behind that an earlier run's latest would hide.
  newest.sort((a, b) => Buffer.compare(a.data ?? new Uint8Array(), b.data ?? new Uint8Array()));
  yield newest.map(({ handle }) => ({ kind: 'fetch', object: handle }));
  // Only now is it certain that an old version's handle is not to be learned elsewhere.
  yield [...gone.keys()]
    .filter((handle) => !learner.wanted.has(handle))
    .map((handle) => ({ kind: 'forget', object: handle, lsn: 0 }));
}
