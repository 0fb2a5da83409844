import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Oid } from '../soif/index.ts';
import { admissible } from './admissible.ts';
import type { GroupScheme, Scheme } from './scheme.ts';
import { schemeNamed, schemes } from './schemes.ts';
import { sound } from './soundness.ts';
import type { StoreModel } from './source.ts';
import { epoch, SimulatedClient, SimulatedStore } from './testing/simulation.ts';

/** An event of a store or of its client; `pick` chooses among the present objects. */
type Event =
  | { readonly kind: 'insert'; readonly content: number; readonly step: number }
  | { readonly kind: 'update'; readonly pick: number; readonly content: number; readonly step: number }
  | { readonly kind: 'delete'; readonly pick: number; readonly step: number }
  | { readonly kind: 'collect'; readonly cut: number }
  | { readonly kind: 'forget tombstones' };

const content = fc.nat(5);
/** How far the clock goes between two events; where the model allows, it may stop or go back. */
const step = fc.integer({ min: -3, max: 4 });
const pick = fc.nat(1000);

const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), content, step }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('update' as const), pick, content, step }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick, step }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('collect' as const), cut: fc.nat(6) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget tombstones' as const) }) },
  ),
  { maxLength: 40 },
);

const models: fc.Arbitrary<StoreModel> = fc
  .record({
    updates: fc.constantFrom('in-place' as const, 'shadow' as const, 'version' as const),
    deletes: fc.boolean(),
    handleReuse: fc.boolean(),
    handles: fc.constantFrom('arbitrary' as const, 'sequential' as const, 'content-sensitive' as const),
    monotoneStamps: fc.boolean(),
    tombstones: fc.boolean(),
    log: fc.boolean(),
  })
  // Handles that depend on the content or the order change with every update (paper, section 2).
  .map((model) =>
    model.handles === 'arbitrary' || model.updates !== 'in-place' ? model : { ...model, updates: 'shadow' },
  );

const hash = (text: string) => createHash('sha256').update(text).digest('base64url') as Oid;

/** Plays a history on a store of a kind, with a client that collects by one scheme whenever the history says so. */
class History {
  readonly store: SimulatedStore;
  readonly client: SimulatedClient;
  readonly #used: Oid[] = [];
  #made = 0;
  #clock = 100;

  constructor(model: StoreModel, cells: number) {
    this.store = new SimulatedStore(model, cells);
    this.client = new SimulatedClient(cells);
  }

  #stamp(step: number): number {
    const { monotoneStamps } = this.store.model;
    this.#clock = monotoneStamps
      ? Math.max(this.#clock, this.store.latestStamp) + 1
      : Math.max(1, this.#clock + step);
    return this.#clock;
  }

  #newHandle(content: string): Oid {
    const { handles, handleReuse } = this.store.model;
    if (handles === 'content-sensitive') return hash(content);
    const free =
      handleReuse && handles === 'arbitrary'
        ? this.#used.find((oid) => !this.store.objects.has(oid))
        : undefined;
    if (free !== undefined) return free;
    this.#made++;
    const oid = handles === 'sequential' ? this.#sequential() : hash(`handle ${this.#made}`);
    this.#used.push(oid);
    return oid;
  }

  #sequential(): Oid {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32BE(this.#made);
    return bytes.toString('base64url') as Oid;
  }

  #chosen(pick: number): Oid | undefined {
    const oids = [...this.store.objects.keys()];
    return oids[pick % Math.max(1, oids.length)];
  }

  async play(event: Event, scheme: Scheme): Promise<void> {
    const { store, client } = this;
    if (event.kind === 'collect') await this.collect(scheme, event.cut === 0 ? undefined : event.cut);
    else if (event.kind === 'forget tombstones') store.forgetTombstones();
    else if (event.kind === 'insert') {
      const text = `content ${event.content}`;
      store.put(this.#newHandle(text), text, this.#stamp(event.step));
    } else {
      const oid = this.#chosen(event.pick);
      if (oid === undefined) return;
      if (event.kind === 'delete') {
        if (store.model.deletes) store.delete(oid, this.#stamp(event.step));
        return;
      }
      const text = `content ${event.content}`;
      const { updates } = store.model;
      const handle = updates === 'in-place' ? oid : this.#newHandle(text);
      if (handle === oid && updates !== 'in-place') return;
      if (updates === 'shadow') store.delete(oid, this.#stamp(event.step));
      store.put(handle, text, this.#stamp(event.step));
    }
    void client;
  }

  /** One run, cut short or not. Where the scheme may not serve this client now, everything is compared instead. */
  async collect(scheme: Scheme, cut?: number): Promise<void> {
    const { store, client } = this;
    const marker = { epoch, lsn: client.marker };
    const usable = admissible(scheme, store.state(), marker, client.objects.size) === undefined;
    const first = usable ? scheme : (schemeNamed('signature') as Scheme);
    const run = await client.run(first, store, cut === undefined ? {} : { cut });
    const verified = first.refines === 'nothing' && first.selects === 'newest';
    if (cut === undefined && (run.unsuited || (verified && !this.equal)))
      await client.run(schemeNamed('signature') as Scheme, store);
  }

  get equal(): boolean {
    return Buffer.compare(this.client.fingerprint(), this.store.state().fingerprint) === 0;
  }
}

/** Groups of every shape beside those in the table. */
const shapes: fc.Arbitrary<Partial<GroupScheme['rule']>> = fc.record({
  fanout: fc.integer({ min: 2, max: 7 }),
  opening: fc.integer({ min: 1, max: 5 }),
  leaf: fc.integer({ min: 1, max: 4 }),
});

for (const scheme of schemes)
  test(`${scheme.name}: on any store where it is sound a client ends up equal to the store`, async () => {
    await fc.assert(
      fc.asyncProperty(
        models,
        events,
        shapes,
        fc.constantFrom(8, 1024),
        async (model, history, shape, cells) => {
          fc.pre(sound(scheme, model) === undefined);
          const shaped =
            scheme.refines === 'groups' ? { ...scheme, rule: { ...scheme.rule, ...shape } } : scheme;
          const played = new History(model, cells);
          for (const event of history) await played.play(event, shaped);
          await played.collect(shaped);
          assert.ok(played.equal);
          assert.deepEqual(new Set(played.client.objects.keys()), new Set(played.store.objects.keys()));
        },
      ),
      { numRuns: 300 },
    );
  });

test('every refusal is needed: some history makes the refused scheme lose a change', async () => {
  const grid = fc.sample(models, { numRuns: 400, seed: 7 });
  const histories = fc.sample(events, { numRuns: 60, seed: 11 });
  for (const scheme of schemes) {
    const reasons = new Map<string, boolean>();
    for (const model of grid) {
      const refusal = sound(scheme, model);
      if (refusal === undefined || reasons.get(refusal.reason) === true) continue;
      // A store without a log has no sequence numbers at all: that refusal needs no history.
      if (!model.log && /log|order of its changes/.test(refusal.reason)) {
        reasons.set(refusal.reason, true);
        continue;
      }
      let lost = false;
      for (const history of histories) {
        const played = new History(model, 1024);
        for (const event of history)
          if (event.kind === 'collect') await played.client.run(scheme, played.store);
          else await played.play(event, scheme);
        await played.client.run(scheme, played.store);
        if (!played.equal) {
          lost = true;
          break;
        }
      }
      reasons.set(refusal.reason, lost);
    }
    for (const [reason, proven] of reasons)
      assert.ok(proven, `${scheme.name}: no history shows that ${reason}`);
  }
});

test('the paper’s table: what each scheme needs', () => {
  const plain: StoreModel = {
    updates: 'in-place',
    deletes: true,
    handleReuse: true,
    handles: 'arbitrary',
    monotoneStamps: false,
    tombstones: false,
    log: false,
  };
  const soundOn = (model: StoreModel) =>
    schemes.filter((scheme) => sound(scheme, model) === undefined).map(({ name }) => name);
  assert.deepEqual(soundOn(plain), [
    'simple-snapshot',
    'signature',
    'hierarchical-signatures-binary',
    'hierarchical-signatures',
    'clustered-signatures',
    'sketch',
    'short-ids',
  ]);
  const archive: StoreModel = {
    ...plain,
    updates: 'version',
    deletes: false,
    handleReuse: false,
    monotoneStamps: true,
  };
  for (const name of ['handle-snapshot', 'timestamp', 'handle-timestamp', 'hierarchical-timestamps'])
    assert.ok(soundOn(archive).includes(name), name);
  assert.equal(
    sound(schemeNamed('timestamp') as Scheme, { ...plain, monotoneStamps: true }, { lazyDeletion: true }),
    undefined,
  );
});
