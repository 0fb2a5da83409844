import { type Scheme, schemes } from '../../awareness/index.ts';
import { type Kind, kinds } from './objects.ts';
import type { AwarenessPair, RunCost } from './pair.ts';

/** One cell of the table: a scheme that updated a copy. */
export interface AwarenessRow {
  readonly n: number;
  readonly u: number;
  readonly kind: Kind;
  readonly scheme: string;
  /** Whether the engine chose this scheme. */
  readonly chosen: boolean;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly signatureBytes: number;
  readonly rounds: number;
  readonly sourceCpuSeconds: number;
  readonly clientCpuSeconds: number;
  readonly peakBytes: number;
}

/** The sketch when the client does not know the number of changes. */
export const coldSketch = 'sketch, nothing known';
/** Name of the row when the copy is up to date. */
export const unchanged = 'unchanged';

export const usualChanges: readonly number[] = [0, 1, 10, 100, 1000, 10_000];

export interface GridOptions {
  readonly n: number;
  readonly changes: readonly number[];
  readonly kinds: readonly Kind[];
  /** All when absent. */
  readonly schemes: readonly string[] | undefined;
  readonly onStep: (step: string) => void;
  readonly onSkip: (what: string, reason: string) => void;
  readonly signal: AbortSignal;
}

/** Longer runs are aborted. */
const maxRunMs = 120_000;
const large = 1_000_000;

const isWhole = (scheme: Scheme) => scheme.refines === 'nothing' && scheme.selects === 'everything';

/** Schemes that an object store cannot run: unsound with deletions, or based on an order that it does not store. */
function unfit(scheme: Scheme): string | undefined {
  if (scheme.refines === 'groups' && (scheme.order !== 'handle' || scheme.compresses !== 'signatures'))
    return 'an object store has no order of timestamps that its copies share';
  if (scheme.refines !== 'nothing') return undefined;
  if (scheme.forgets === 'lazily' && scheme.selects === 'later-stamps')
    return 'it loses deletions, and an object store deletes';
  if (scheme.compresses === 'handle') return 'it loses updates in place, and an object store makes them';
  return undefined;
}

function tooLong(
  scheme: Scheme,
  { n, changes, kinds: hows }: GridOptions,
  u: number,
  kind: Kind,
): string | undefined {
  if (n < large) return undefined;
  const cell = changes.includes(1000) ? 1000 : changes[0];
  if (isWhole(scheme) && (u !== cell || kind !== hows[0])) return 'it always sends the whole set';
  if (scheme.refines === 'groups' && scheme.rule.fanout === 2 && u >= 10_000)
    return 'it takes minutes at this size';
  return undefined;
}

/** Kinds that are distinct for a change of this size. */
function kindsFor(u: number, hows: readonly Kind[]): readonly Kind[] {
  if (u === 0) return hows.slice(0, 1);
  const different = u < 4 ? hows.filter((kind) => kind !== 'mixed') : hows;
  return different.length === 0 ? hows : different;
}

/** Every cell of one size, one after the other on one session. */
export async function grid(pair: AwarenessPair, options: GridOptions): Promise<AwarenessRow[]> {
  const rows: AwarenessRow[] = [];
  const { n, onSkip } = options;
  for (const scheme of schemes) {
    const reason = unfit(scheme);
    if (reason !== undefined) onSkip(scheme.name, reason);
  }
  // The first exchange of a session is larger: later ones need not repeat its setup.
  await pair.run({ signal: options.signal });
  for (const u of options.changes)
    for (const kind of kindsFor(u, options.kinds)) {
      const free = await measure(pair, options, { kind, u }, 'the engine’s choice', {});
      if (free === undefined) continue;
      const picked = pickedName(free);
      const names = [picked];
      rows.push(rowOf(options, { u, kind }, picked, true, free));
      for (const scheme of schemes) {
        if (unfit(scheme) !== undefined || options.schemes?.includes(scheme.name) === false) continue;
        // It cannot finish a change that also deletes; another scheme would.
        if (scheme.refines === 'nothing' && scheme.selects === 'newest' && kind === 'mixed') continue;
        const reason = tooLong(scheme, options, u, kind);
        if (reason !== undefined) {
          onSkip(`${scheme.name}, N=${n}, U=${u}, ${kind}`, reason);
          continue;
        }
        for (const warm of scheme.refines === 'sketch' ? [true, false] : [false]) {
          const name = scheme.refines === 'sketch' && !warm ? coldSketch : scheme.name;
          if (names.includes(name)) continue;
          const cost = await measure(pair, options, { kind, u }, name, { scheme: scheme.name, warm });
          if (cost === undefined) continue;
          const ran = cost.schemes.length > 1 ? cost.schemes.join(' then ') : name;
          rows.push(rowOf(options, { u, kind }, ran, false, cost));
        }
      }
    }
  return rows;
}

/**
 * The name of the row of the engine's choice. The client gave no number of differences, so a sketch is `coldSketch`.
 */
function pickedName({ schemes: ran }: RunCost): string {
  if (ran.length === 0) return unchanged;
  return ran.map((name) => (name === 'sketch' ? coldSketch : name)).join(' then ');
}

async function measure(
  pair: AwarenessPair,
  { n, onStep, onSkip, signal }: GridOptions,
  { kind, u }: { readonly kind: Kind; readonly u: number },
  name: string,
  how: { readonly scheme?: string; readonly warm?: boolean },
): Promise<RunCost | undefined> {
  signal.throwIfAborted();
  onStep(`N=${n}, U=${u}, ${kind}: ${name}`);
  const late = AbortSignal.timeout(maxRunMs);
  try {
    return await pair.changed(kind, u, { ...how, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    onSkip(`${name}, N=${n}, U=${u}, ${kind}`, `it took more than ${maxRunMs / 1000} s`);
    return undefined;
  }
}

function rowOf(
  { n }: GridOptions,
  { u, kind }: { readonly u: number; readonly kind: Kind },
  scheme: string,
  chosen: boolean,
  { bytesUp, bytesDown, signatureBytes, rounds, sourceCpuSeconds, clientCpuSeconds, peakBytes }: RunCost,
): AwarenessRow {
  const cost = { bytesUp, bytesDown, signatureBytes, rounds, sourceCpuSeconds, clientCpuSeconds, peakBytes };
  return { n, u, kind, scheme, chosen, ...cost };
}

/** The kind of that name, or undefined. */
export const kindNamed = (name: string): Kind | undefined => kinds.find((kind) => kind === name);
