import assert from 'node:assert/strict';
import { ManualClock } from '../../kernel/index.ts';
import type { IcpReplyName } from '../peers/icp.ts';
import { Peer, type PeerConfig } from '../peers/peer.ts';
import { PeerRounds } from '../peers/peer-rounds.ts';
import { HierarchyRouter, type RoutingRules } from '../peers/peer-router.ts';
import { PeerSet } from '../peers/peer-set.ts';
import type { RawFields } from '../rules/fields/fields.ts';

export const url = 'http://www.origin.example/object';

/** A hierarchy whose peers answer as a table says, after a number of milliseconds of a clock that we move. */
export class World {
  readonly clock = new ManualClock(0);
  readonly set = new PeerSet();
  readonly asked: string[] = [];
  readonly failed: string[] = [];
  readonly answers = new Map<string, { readonly reply: IcpReplyName; readonly afterMs: number }>();
  readonly rounds: PeerRounds;
  readonly router: HierarchyRouter;
  /** When the origin answers in the race, if it takes part. */
  originMs: number | undefined;

  constructor(rules: Partial<RoutingRules> = {}, raceAfterMs?: number) {
    this.rounds = new PeerRounds({
      ask: (peer, _url, _fields, answered) => {
        this.asked.push(peer.name);
        const answer = this.answers.get(peer.name);
        let forgotten = false;
        if (answer)
          void this.clock.sleep(answer.afterMs).then(() => {
            if (!forgotten) answered(answer.reply);
          });
        return () => {
          forgotten = true;
        };
      },
      probeOrigin: (_url, signal) =>
        this.originMs === undefined ? new Promise(() => {}) : this.clock.sleep(this.originMs, signal),
      raceAfterMs,
      clock: this.clock,
      timeoutMs: 2000,
    });
    const none = { neverDirect: false, preferDirect: false, localDomains: [], stoplist: ['cgi-bin'] };
    this.router = new HierarchyRouter(
      this.set,
      this.rounds,
      { ...none, ...rules },
      { failed: ({ name }) => this.failed.push(name), clock: this.clock },
    );
  }

  peer(name: string, more: Partial<PeerConfig> = {}, answer?: [IcpReplyName, number]): Peer {
    const icpPort = more.hash || more.domains ? 0 : 3130;
    const peer = new Peer({ role: 'parent', host: name, port: 3128, name, icpPort, ...more });
    peer.addresses = ['192.0.2.1'];
    assert.ok(this.set.add(peer));
    if (answer) this.answers.set(name, { reply: answer[0], afterMs: answer[1] });
    return peer;
  }

  /** Where a GET goes, as `name because` for each, and how long that took. */
  async get(
    of = url,
    more: { method?: string; fields?: RawFields; hasContent?: boolean } = {},
  ): Promise<readonly string[]> {
    const startMs = this.clock.now();
    let routes: readonly string[] | undefined;
    const { signal } = new AbortController();
    const request = { method: 'GET', url: of, fields: [], fromCache: false, signal, ...more };
    const going = this.router.routes(request).then((found) => {
      routes = found.map((route) => (route.to === 'origin' ? 'origin' : `${route.host} ${route.because}`));
    });
    for (let turn = 0; turn < 5000 && routes === undefined; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (routes === undefined) this.clock.advance(10);
    }
    await going;
    return [...(routes ?? []), `${this.clock.now() - startMs} ms`];
  }
}

export const sibling = { role: 'sibling' } as const;

/** Advance the clock step by step, yielding to waiting tasks in between. */
export async function pass(world: World, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(10);
  }
  await new Promise((resolve) => setImmediate(resolve));
}
