import {
  admissible,
  type Cost,
  type CostInput,
  candidates,
  estimateCost,
  type Link,
  type Replica,
  type ReplicaState,
  type Scheme,
  type SourceState,
  type StoreModel,
  sameBytes,
  schemes,
  sound,
  usualLink,
} from '../../awareness/index.ts';
import { type FilterSpec, probeLink, probeState, rehearse, withIdleTimeout } from '../../exchange/index.ts';
import { type Clock, GarnerError } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { Session } from '../../wire/index.ts';
import type { CollectorOptions } from './collector-options.ts';
import { connectTo } from './dialled-source.ts';
import type { SchemeMeasure } from './round-history.ts';
import { copyOf, type SourceAddress } from './source-address.ts';

/** The report on one scheme between this Broker and a source. */
export interface SchemeReport {
  readonly scheme: string;
  readonly describe: string;
  /** Whether it loses no change on a store like the source's, and whether it can run now. */
  readonly sound: boolean;
  readonly admissible: boolean;
  /** The reason when one of the two is false. */
  readonly reason: string | null;
  readonly predicted: Cost;
  readonly measured: {
    readonly bytesUp: number;
    readonly bytesDown: number;
    readonly rounds?: number;
    readonly ms: number;
    /** Seconds since 1970. */
    readonly at: number;
    /** Its predicted cost at that time. */
    readonly predicted: Pick<Cost, 'bytesUp' | 'bytesDown'>;
  } | null;
  /** Why a scheme that could run was not measured although that was requested. */
  readonly skipped: string | null;
  /** Whether the engine would choose it. */
  readonly chosen: boolean;
}

export interface AwarenessReport {
  readonly source: { readonly url: string; readonly name: string; readonly serverId: string };
  readonly filter: FilterSpec | null;
  /** Objects at the source and in the copy. */
  readonly count: number;
  readonly held: number;
  /** Changes since the marker, or null where the copy is from another epoch of the source or empty. */
  readonly changes: number | null;
  /** Whether the copy equals the source, so that no scheme needs to run. */
  readonly same: boolean;
  /** The subject of predictions and measurements: whole objects, or only handles and signatures. */
  readonly want: 'objects' | 'handles';
  readonly objectBytes: number | null;
  readonly link: Link & { readonly bandwidthMeasured: boolean };
  readonly schemes: readonly SchemeReport[];
}

export interface ReportOptions {
  /** Run each scheme that is sound and admissible, and store nothing. */
  readonly measure: boolean;
  /** Also run those that are predicted to be large. */
  readonly all: boolean;
  readonly signal?: AbortSignal;
}

/** A scheme with more predicted bytes than this runs only with `all`. */
const largeBytes = 10_000_000;

/** Max objects and max bytes with which the link is measured. */
const maxProbed = 128;
const probeBytes = 256 * 1024;
const pings = 5;

/** Fewer bytes than this say nothing about a link. */
const minBytes = 16 * 1024;

interface Pair {
  readonly model: StoreModel;
  readonly now: SourceState;
  readonly before: ReplicaState;
}

/** Report every scheme with a source. Nothing is stored. Throws as connecting and querying do. */
export async function reportAwareness(
  address: SourceAddress,
  options: CollectorOptions,
  how: ReportOptions,
): Promise<AwarenessReport> {
  const { clock, store, table } = options;
  const { url, filter } = address;
  const { measure, signal } = how;
  await using session = await sessionWith(address, options, signal);
  const { peer } = session;
  const replica = await store.replica(copyOf(address, peer.serverId));
  const before = await replica.state();
  const asking = { session, filter, signal };
  const now = await probeState(asking);
  const objectBytes = store.count === 0 ? undefined : store.bodyBytes / store.count;
  const link = await measuredLink(asking, replica, clock, objectBytes);
  const { marker } = before;
  const sameLife = marker?.epoch === now.epoch;
  // At equal numbers, the numbers do not show how the copy differs.
  const ahead = sameLife && marker.lsn >= now.lsn && !sameBytes(before.fingerprint, now.fingerprint);
  const changes = sameLife && !ahead ? Math.max(0, now.lsn - marker.lsn) : undefined;
  // A source is an object store like this Broker's own.
  const pair: Pair = { model: store.model, now, before };
  const same = sameLife && changes === 0 && sameBytes(before.fingerprint, now.fingerprint);
  const want = measure ? 'handles' : 'objects';
  const input: CostInput = {
    ...{ count: now.count, held: before.count, changes, want, link, unnamed: !measure },
    ...(objectBytes === undefined ? {} : { objectBytes }),
  };
  // The source predicts for whole objects, whatever is measured here.
  const asker = { marker, held: before.count, want: 'objects' } as const;
  const known = { link, unnamed: true, ...(objectBytes === undefined ? {} : { objectBytes }) };
  const chosen = same ? undefined : candidates(pair.model, now, asker, known)[0]?.scheme.name;
  const measures = table.measures(copyOf(address, peer.serverId));
  const reports: SchemeReport[] = [];
  for (const scheme of schemes) {
    const known = describe(scheme, pair, input, { chosen, measures });
    const due = measure && known.reason === null;
    reports.push(due ? await measured(known, replica, address, options, how) : known);
  }
  return {
    source: { url, name: peer.name, serverId: peer.serverId },
    filter: filter ?? null,
    ...{ count: now.count, held: before.count, changes: changes ?? null, same, want },
    objectBytes: objectBytes === undefined ? null : Math.round(objectBytes),
    link,
    schemes: reports,
  };
}

async function sessionWith(
  address: SourceAddress,
  options: CollectorOptions,
  signal: AbortSignal | undefined,
): Promise<Session> {
  const { clock, silenceSeconds } = options;
  return withIdleTimeout(await connectTo(address, options, signal), { clock, seconds: silenceSeconds });
}

function describe(
  scheme: Scheme,
  { model, now, before }: Pair,
  input: CostInput,
  known: { readonly chosen: string | undefined; readonly measures: readonly SchemeMeasure[] },
): SchemeReport {
  const unsound = sound(scheme, model);
  // A round ends with a comparison of fingerprints, so a forgotten deletion cannot be missed.
  const refused = admissible(scheme, now, before.marker, before.count, true);
  const { bytesUp, bytesDown, rounds, ms } = estimateCost(scheme, input);
  const last = known.measures.find((measure) => measure.scheme === scheme.name);
  return {
    ...{ scheme: scheme.name, describe: scheme.describe },
    ...{ sound: unsound === undefined, admissible: refused === undefined },
    reason: (unsound ?? refused)?.reason ?? null,
    predicted: { bytesUp: Math.round(bytesUp), bytesDown: Math.round(bytesDown), rounds, ms: Math.round(ms) },
    // A measurement of whole objects says nothing about handles alone.
    measured:
      last === undefined || input.want === 'handles'
        ? null
        : {
            ...{ bytesUp: last.bytesUp, bytesDown: last.bytesDown, ms: last.ms, at: last.at },
            predicted: last.predicted,
          },
    skipped: null,
    chosen: known.chosen === scheme.name,
  };
}

async function measured(
  report: SchemeReport,
  replica: Replica,
  address: SourceAddress,
  options: CollectorOptions,
  { all, signal }: ReportOptions,
): Promise<SchemeReport> {
  const { bytesUp, bytesDown } = report.predicted;
  if (!all && bytesUp + bytesDown > largeBytes)
    return { ...report, skipped: `it is predicted to take more than ${largeBytes / 1e6} MB; --all runs it` };
  // A session compresses with its whole history, so in a shared one the second scheme would seem cheaper.
  await using session = await sessionWith(address, options, signal);
  try {
    const rehearsal = await rehearse({
      ...{ session, replica, clock: options.clock, keyring: options.keyring(), name: session.peer.name },
      scheme: report.scheme,
      ...(address.filter === undefined ? {} : { filter: address.filter }),
      ...(signal && { signal }),
    });
    const at = Math.floor(options.clock.now() / 1000);
    const { bytesUp: up, bytesDown: down, rounds, ms, unsuited } = rehearsal;
    const gaveUp = 'it ran and gave up: one side lacks the needed order, or too much differs';
    if (unsuited) return { ...report, skipped: gaveUp };
    const predicted = { bytesUp, bytesDown };
    return { ...report, measured: { bytesUp: up, bytesDown: down, rounds, ms, at, predicted } };
  } catch (error) {
    // A failed scheme is reported. A lost connection ends the whole report.
    if (!(error instanceof GarnerError) || error.code === 'WIRE_LOST' || error.code === 'WIRE_CLOSED')
      throw error;
    return { ...report, skipped: error.message };
  }
}

/** Round-trip time from the fastest of some empty queries, bandwidth from objects that are already held. */
async function measuredLink(
  asking: Parameters<typeof probeLink>[0],
  replica: Replica,
  clock: Clock,
  objectBytes = 4096,
): Promise<AwarenessReport['link']> {
  const { traffic } = asking.session;
  const timed = async (oids: readonly Oid[]): Promise<number> => {
    const started = clock.now();
    await probeLink(asking, oids);
    return clock.now() - started;
  };
  let roundTripMs = await timed([]);
  for (let i = 1; i < pings; i++) roundTripMs = Math.min(roundTripMs, await timed([]));
  const wanted = Math.max(1, Math.min(maxProbed, Math.floor(probeBytes / Math.max(1, objectBytes))));
  const oids: Oid[] = [];
  for await (const { oid } of replica.scan()) {
    oids.push(oid);
    if (oids.length >= wanted) break;
  }
  const before = traffic.receivedBytes;
  const ms = oids.length === 0 ? 0 : await timed(oids);
  const bytes = traffic.receivedBytes - before;
  if (bytes < minBytes)
    return { roundTripMs, bytesPerSecond: usualLink.bytesPerSecond, bandwidthMeasured: false };
  // The clock counts whole milliseconds.
  const spent = Math.max(1, ms - roundTripMs);
  return { roundTripMs, bytesPerSecond: Math.round((bytes / spent) * 1000), bandwidthMeasured: true };
}
