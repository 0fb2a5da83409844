import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates, type Link, schemes } from '../../awareness/index.ts';
import { AwarenessWorld, changeOf, type Kind } from './world.ts';

// Whether the engine's choice is the quickest scheme on any link. Bytes and rounds of every scheme come from real
// runs; the time is rounds * round trip + bytes / bandwidth.

const count = 2000;

const roundTrips = [1, 10, 40, 150, 600] as const;
const bandwidths = [32_000, 250_000, 2_000_000, 12_000_000, 100_000_000] as const;
const links: readonly Link[] = roundTrips.flatMap((roundTripMs) =>
  bandwidths.map((bytesPerSecond) => ({ roundTripMs, bytesPerSecond })),
);

/** The state of the copy relative to the store before a run. */
const situations = ['marker', 'forgotten', 'diverged', 'other life', 'empty'] as const;
type Situation = (typeof situations)[number];

const changes: readonly (readonly [u: number, kind: Kind])[] = [
  [1, 'scattered'],
  [10, 'mixed'],
  [30, 'mixed'],
  [200, 'recent'],
  [500, 'mixed'],
];

/** Whether all situations are combined with all changes, or each with two, so that each change is seen. */
const isAll = process.env.GARNER_TEST_CELLS === 'all';

/** The changes that are made in a situation. */
const changesIn = (situation: Situation) =>
  situation === 'empty'
    ? changes.slice(0, 1)
    : changes.filter((_, at) => isAll || (at + situations.indexOf(situation)) % 3 === 2);

/** Max number of cells that may be further off. */
const maxOff = 0.05;
const near = 1.1;

const asksBack = new Set(schemes.filter(({ refines }) => refines !== 'nothing').map(({ name }) => name));

interface Taken {
  readonly bytes: number;
  readonly rounds: number;
}

const timeOf = ({ bytes, rounds }: Taken, { roundTripMs, bytesPerSecond }: Link) =>
  rounds * roundTripMs + (bytes / bytesPerSecond) * 1000;

/** Schemes that are not run: others stand for them, or they are too expensive on any link. */
const passedOver: ReadonlySet<string> = new Set(['timestamp-tombstones', 'handle-timestamp-tombstones']);

test('the engine picks a scheme within a tenth of the quickest, over links and situations', async (t) => {
  const off: string[] = [];
  let cells = 0;
  for (const situation of situations) {
    for (const [u, kind] of changesIn(situation)) {
      await using world = await AwarenessWorld.open(count);
      const taken = new Map<string, Taken>();
      for (const scheme of schemes) {
        if (passedOver.has(scheme.name)) continue;
        // Each takes seconds, and at these sizes it is never near the quickest.
        if (scheme.refines === 'groups' && scheme.rule.fanout === 2 && u > 1) continue;
        await arrange(world, situation, u, kind);
        const run = await world.measured(scheme.name).catch((error: unknown) => {
          if (!/EXCHANGE_SCHEME/.test(String(error))) throw error;
          return undefined;
        });
        if (run !== undefined) taken.set(scheme.name, run);
        await world.repair(count);
      }
      await arrange(world, situation, u, kind);
      const [asker, state] = [await world.asker(), await world.source.state()];
      const pick = (link: Link) =>
        candidates(world.source.model, state, asker, { link, unnamed: true })[0]?.scheme.name ?? '';
      // A scheme that asks back must be named to the client first; a free run shows the cost of that.
      const free = new Map<string, Taken>();
      for (const link of links) {
        const picked = pick(link);
        if (free.has(picked)) continue;
        if (free.size > 0) await arrange(world, situation, u, kind);
        world.link = link;
        const run = await world.measured();
        // When the picked scheme asks back, the client may run another one after it has estimated the difference.
        const ran = asksBack.has(picked) || run.schemes.includes(picked);
        assert.ok(ran, `${run.schemes} ran, ${picked} was to be chosen`);
        free.set(picked, run);
        await world.repair(count);
      }
      world.link = undefined;
      for (const name of asksBack) {
        const forced = taken.get(name);
        const run = free.get(name) ?? (forced && { ...forced, rounds: forced.rounds + 1 });
        if (run !== undefined) taken.set(name, run);
      }
      for (const link of links) {
        const picked = pick(link);
        const chosen = timeOf(free.get(picked) as Taken, link);
        const best = Math.min(...[...taken.values()].map((each) => timeOf(each, link)));
        cells++;
        if (chosen <= near * best) continue;
        const [quickest] = [...taken].sort((a, b) => timeOf(a[1], link) - timeOf(b[1], link))[0] ?? [];
        off.push(
          `${situation} U=${u} ${kind} ${link.roundTripMs} ms ${link.bytesPerSecond} B/s: ${picked} ` +
            `${chosen.toFixed(1)} ms, ${quickest} ${best.toFixed(1)} ms`,
        );
      }
    }
  }
  for (const each of off) t.diagnostic(each);
  t.diagnostic(`${cells - off.length} of ${cells} cells within a tenth of the quickest`);
  assert.ok(off.length <= cells * maxOff, `${off.length} of ${cells} cells are off`);
});

async function arrange(world: AwarenessWorld, situation: Situation, u: number, kind: Kind): Promise<void> {
  if (situation === 'empty') await world.loseCopy();
  if (situation === 'diverged') await world.disturbCopy(changeOf(kind, u));
  else await world.change(changeOf(kind, u));
  if (situation === 'forgotten') await world.forgetDeletions();
  if (situation === 'other life') await world.renewSource();
}
