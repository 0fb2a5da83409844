import { type Logger, pino } from 'pino';
import {
  brokerFault,
  classicFault,
  classicSessionEnded,
  keySucceeded,
  maintenanceFailed,
  objectsUnproved,
  reindexing,
  revokedDropped,
  sourceReplaced,
  sourceState,
  webhookSent,
} from '../../broker/events.ts';
import {
  answerBroken,
  cacheFault,
  cacheStoreTrouble,
  cacheWorkerLost,
  hitGiven,
  originFailed,
  peerChanged,
  requestAnswered,
} from '../../cache/events.ts';
import { pushFailed, roundFinished, withdrawalsRefused } from '../../exchange/events.ts';
import {
  documentDone,
  gatherdFault,
  gatherdSessionEnded,
  gathererFault,
  runFinished,
  summaryReduced,
} from '../../gatherer/events.ts';
import { certificateRefused, certificateRenewed, requestFailed } from '../../http/events.ts';
import { isGarnerError, LineBound, systemClock } from '../../kernel/index.ts';
import {
  directoryFailed,
  foreignServerSilent,
  keyConflict,
  keysNotRead,
  registrationFailed,
  replicasFailed,
  upkeepFailed,
} from '../../registry/events.ts';
import { storeErrors } from '../../store/errors.ts';
import { fileRestored, storeExpired, storeMended, tablesDamaged } from '../../store/events.ts';
import { callerRefused, channelFault } from '../../wire/events.ts';
import { outOfFiles, systemErrors } from '../config/out-of-files.ts';
import { count, number, size } from '../text/number-formats.ts';
import { type Output, terminalSafe } from '../text/output.ts';
import { runLine } from '../text/run-lines.ts';
import { reportWaits } from '../text/wait-notices.ts';

/** Log all published events on stderr, as sentences or pino's JSON lines. Returns what stops it. */
export function startLogs(output: Output): () => void {
  if (output.quiet) return () => undefined;
  return output.json ? forMachines() : forPeople(output);
}

/** An error as it is logged: CLI_OUT_OF_FILES, which has the cure, for the system's own. */
const named = (error: unknown) => outOfFiles(error) ?? error;

const message = (thrown: unknown) => {
  const error = named(thrown);
  const text = terminalSafe(error instanceof Error ? error.message : String(error));
  return isGarnerError(error, systemErrors.CLI_OUT_OF_FILES)
    ? `${text} [${error.code}]; ${error.hint}`
    : text;
};

/**
 * Subscribe to what callers can cause: of a flood of one kind, the first in a minute are written, and the next one names
 * the number of those that were not.
 */
function bounded<Data>(
  event: { subscribe(listener: (data: Data) => void): () => void },
  kindOf: (data: Data) => string,
  write: (data: Data, more: number) => void,
): () => void {
  const bound = new LineBound(systemClock);
  return event.subscribe((data) => {
    const more = bound.pass(kindOf(data));
    if (more !== undefined) write(data, more);
  });
}

/** States of a source that an operator should know of. */
const isTrouble: ReadonlySet<string> = new Set(['down', 'full', 'no room']);

/** The end of a line before which lines of its kind were not written. */
const andMore = (more: number) => (more === 0 ? '' : ` (and ${number(more)} more before it)`);

const withMore = (more: number) => (more === 0 ? {} : { more });

const sameKind = () => '';
const refusalKind = ({ status }: { readonly status: number }) => String(status);
const routeKind = ({ route }: { readonly route: string }) => route;

/** What was damaged, and what becomes of it. */
export function mendedLine({ path, reason, rows }: { path: string; reason: string; rows: number }): string {
  return `files of ${terminalSafe(path)} were damaged: ${terminalSafe(reason)} [STORE_DAMAGED]; ${count(rows, 'row')} could be read and kept, the rest is gathered or collected again where that is possible; check the disk`;
}

/** A small file that was written again from its other copy. */
export const restoredLine = ({ path, isMissing }: { path: string; isMissing: boolean }) =>
  `${terminalSafe(path)} was ${isMissing ? 'missing' : 'damaged'} and is restored from its other copy; check the disk`;

const tablesLine = ({ path, files }: { path: string; files: readonly string[] }) =>
  `files in use are damaged in ${terminalSafe(path)}: ${files.map(terminalSafe).join(', ')} [STORE_DAMAGED]; ${storeErrors.STORE_DAMAGED.hint({ path, reason: '' })}`;

const peerStates = {
  up: 'is up again',
  lame: 'failed to fetch a page that another route could fetch; it is queried after the others for now',
  silent: 'does not answer queries; requests do not wait for it until it does',
  dead: 'no longer answers queries; it is queried now and then',
  denying: 'denies our queries; it is no longer queried',
  down: 'cannot be reached; it is left out until it can',
  'unknown name': 'has an unknown host name; it is looked up again every ten seconds',
} as const;

function forPeople(output: Output): () => void {
  const log = (sentence: string) =>
    output.note(output.isInteractive ? sentence : `${new Date(systemClock.now()).toISOString()} ${sentence}`);
  const stops = [
    sourceState.subscribe(({ source, state, error }) => {
      if (state === 'connecting' && error !== undefined)
        log(`waiting for source ${terminalSafe(source)}: ${terminalSafe(error)}`);
      if (state === 'down')
        log(`source ${terminalSafe(source)} is down: ${terminalSafe(error ?? 'no answer')}`);
      if (state === 'full' || state === 'no room')
        log(`source ${terminalSafe(source)}: ${state}: ${terminalSafe(error ?? '')}`);
    }),
    roundFinished.subscribe((round) => {
      if (round.learned + round.forgotten === 0) return;
      log(
        `learned ${number(round.learned)} and forgot ${number(round.forgotten)} from ${terminalSafe(round.source)}: ${size(round.bytesUp + round.bytesDown)} on the wire`,
      );
    }),
    withdrawalsRefused.subscribe(({ source, url, reason, count: refused }) =>
      log(
        `${count(refused, 'withdrawal')} of ${terminalSafe(source)} ignored: that of ${terminalSafe(url)}: ${reason}`,
      ),
    ),
    keySucceeded.subscribe(({ server, isRevocation }) =>
      log(`server ${server} ${isRevocation ? 'revoked its former keys' : 'has a new key'}`),
    ),
    revokedDropped.subscribe(({ server, objects }) =>
      log(`${count(objects, 'object')} of server ${server} dropped: only a revoked key had signed them`),
    ),
    runFinished.subscribe((report) => {
      if (report.added + report.changed + report.deleted + report.failed > 0) log(runLine(report));
    }),
    objectsUnproved.subscribe(({ source, objects }) =>
      log(`${count(objects, 'object')} of ${terminalSafe(source)} kept out: not proved`),
    ),
    sourceReplaced.subscribe(({ source, before, now }) =>
      log(
        `${terminalSafe(source)} is now ${terminalSafe(now)}; the objects of ${terminalSafe(before)} are dropped`,
      ),
    ),
    reindexing.subscribe(({ reason }) => log(`rebuilding the index: ${reason}`)),
    storeMended.subscribe((data) => log(mendedLine(data))),
    fileRestored.subscribe((data) => log(restoredLine(data))),
    tablesDamaged.subscribe((data) => log(tablesLine(data))),
    storeExpired.subscribe(({ count: expired }) => log(`${count(expired, 'object')} expired`)),
    gathererFault.subscribe(({ where, error }) => log(`${where}: ${message(error)}`)),
    bounded(gatherdFault, sameKind, ({ command, error }, more) =>
      log(`gatherd ${command}: ${message(error)}${andMore(more)}`),
    ),
    bounded(classicFault, sameKind, ({ asked, error }, more) =>
      log(`classic ${terminalSafe(asked)}: ${message(error)}${andMore(more)}`),
    ),
    bounded(pushFailed, sameKind, ({ client, error }, more) =>
      log(`push to ${terminalSafe(client)}: ${terminalSafe(error)}${andMore(more)}`),
    ),
    brokerFault.subscribe(({ where, error }) => log(`${where}: ${message(error)}`)),
    directoryFailed.subscribe(({ error }) => log(`reading the registered servers: ${message(error)}`)),
    replicasFailed.subscribe(({ error }) => log(`looking at the other Registries: ${message(error)}`)),
    upkeepFailed.subscribe(({ error }) => log(`removing registrations that ended: ${message(error)}`)),
    keyConflict.subscribe(({ server, url }) =>
      log(
        `${terminalSafe(url)} of another Registry is not taken: it is not signed with the key of ${server}`,
      ),
    ),
    registrationFailed.subscribe(({ registry, error }) =>
      log(`not registered at ${terminalSafe(registry)}: ${message(error)}`),
    ),
    foreignServerSilent.subscribe(({ url, error }) =>
      log(`no answer of ${terminalSafe(url)}: ${message(error)}`),
    ),
    keysNotRead.subscribe(({ registry, error }) =>
      log(`changed keys of ${terminalSafe(registry)} not read: ${message(error)}`),
    ),
    cacheFault.subscribe(({ where, error }) => log(`cache ${where}: ${message(error)}`)),
    cacheWorkerLost.subscribe(({ worker }) => log(`cache worker ${worker} ended and is restarted`)),
    webhookSent.subscribe(({ view, webhook, state, error }) => {
      if (error !== undefined)
        log(
          `webhook ${webhook} of view ${view}: ${terminalSafe(error)}${state === 'paused' ? '; it is paused' : ''}`,
        );
    }),
    maintenanceFailed.subscribe(({ error }) => log(`merging the index: ${message(error)}`)),
    bounded(callerRefused, refusalKind, ({ where, reason }, more) =>
      log(`caller ${terminalSafe(where)} was turned away: ${terminalSafe(reason)}${andMore(more)}`),
    ),
    bounded(channelFault, sameKind, ({ where, error }, more) =>
      log(`session with ${terminalSafe(where)}: ${message(error)}${andMore(more)}`),
    ),
    bounded(requestFailed, routeKind, ({ route, error }, more) =>
      log(`${route}: ${message(error)}${andMore(more)}`),
    ),
    peerChanged.subscribe(({ name, role, state }) =>
      log(`${role} ${terminalSafe(name)} ${peerStates[state]}`),
    ),
    originFailed.subscribe(({ reason, times }) =>
      log(
        `${terminalSafe(reason)}${times > 1 ? `; ${number(times)} requests failed since the last report` : ''}`,
      ),
    ),
    certificateRenewed.subscribe(({ validTo }) =>
      log(`the certificate was reloaded; it is valid until ${validTo.toISOString()}`),
    ),
    certificateRefused.subscribe(({ error }) =>
      log(`the certificate was not reloaded, and the old one stays in use: ${message(error)}`),
    ),
    cacheStoreTrouble.subscribe(({ path, reason }) => log(`${path}: ${terminalSafe(reason)}`)),
    reportWaits(systemClock, log),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function forMachines(): () => void {
  return logEvents(
    pino({ level: process.env.GARNER_LOG_LEVEL ?? 'info' }, pino.destination({ dest: 2, sync: true })),
  );
}

/** Write a line for each event that folders publish. Returns a function that stops it. */
export function logEvents(log: Logger): () => void {
  const stops = [
    sourceState.subscribe((data) => log[isTrouble.has(data.state) ? 'warn' : 'info'](data, 'source')),
    roundFinished.subscribe((data) => log[data.schemes.length === 0 ? 'debug' : 'info'](data, 'round')),
    withdrawalsRefused.subscribe((data) => log.warn(data, 'withdrawals ignored')),
    keySucceeded.subscribe((data) => log.warn(data, 'key changed')),
    revokedDropped.subscribe((data) => log.warn(data, 'revoked objects dropped')),
    runFinished.subscribe((data) => log.info(data, 'run')),
    summaryReduced.subscribe((data) => log.info(data, 'summary reduced')),
    documentDone.subscribe((data) => log[data.outcome === 'failed' ? 'warn' : 'debug'](data, 'document')),
    objectsUnproved.subscribe((data) => log.warn(data, 'unproved')),
    sourceReplaced.subscribe((data) => log.warn(data, 'source replaced')),
    reindexing.subscribe((data) => log.warn(data, 'reindexing')),
    storeExpired.subscribe((data) => log.info(data, 'expired')),
    gathererFault.subscribe(({ where, error }) => log.error({ where, err: named(error) }, 'fault')),
    bounded(gatherdFault, sameKind, ({ command, error }, more) =>
      log.error({ command, err: named(error), ...withMore(more) }, 'gatherd fault'),
    ),
    bounded(pushFailed, sameKind, (data, more) => log.warn({ ...data, ...withMore(more) }, 'push')),
    bounded(classicFault, sameKind, ({ asked, error }, more) =>
      log.error({ asked, err: named(error), ...withMore(more) }, 'classic fault'),
    ),
    bounded(classicSessionEnded, sameKind, (data, more) =>
      log.info({ ...data, ...withMore(more) }, 'classic session'),
    ),
    bounded(gatherdSessionEnded, sameKind, (data, more) =>
      log.info({ ...data, ...withMore(more) }, 'gatherd session'),
    ),
    storeMended.subscribe((data) => log.error(data, 'store damaged')),
    fileRestored.subscribe((data) => log.error(data, 'file restored')),
    tablesDamaged.subscribe((data) => log.error(data, 'tables damaged')),
    brokerFault.subscribe(({ where, error }) => log.error({ where, err: named(error) }, 'fault')),
    directoryFailed.subscribe(({ error }) => log.error({ err: named(error) }, 'directory')),
    upkeepFailed.subscribe(({ error }) => log.error({ err: named(error) }, 'registry upkeep')),
    replicasFailed.subscribe(({ error }) => log.error({ err: named(error) }, 'replicas')),
    keyConflict.subscribe(({ server, url }) => log.warn({ server, url }, 'key-conflict')),
    registrationFailed.subscribe(({ registry, error }) =>
      log.warn({ registry, err: named(error) }, 'registration'),
    ),
    foreignServerSilent.subscribe(({ url, error }) => log.warn({ url, err: named(error) }, 'foreign server')),
    keysNotRead.subscribe(({ registry, error }) => log.warn({ registry, err: named(error) }, 'keys')),
    cacheFault.subscribe(({ where, error }) => log.error({ where, err: named(error) }, 'cache fault')),
    // A line for each request costs time, so nothing subscribes unless the level is debug.
    ...(log.isLevelEnabled('debug') ? logAnswers(log) : []),
    webhookSent.subscribe((data) => log[data.error === undefined ? 'debug' : 'warn'](data, 'webhook')),
    maintenanceFailed.subscribe(({ error }) => log.error({ err: named(error) }, 'index maintenance')),
    bounded(requestFailed, routeKind, ({ method, route, error }, more) =>
      log.error({ method, route, err: named(error), ...withMore(more) }, 'request'),
    ),
    bounded(callerRefused, refusalKind, (data, more) =>
      log.warn({ ...data, ...withMore(more) }, 'caller refused'),
    ),
    reportWaits(systemClock, (_, wait) => log.info(wait, 'waiting')),
    bounded(channelFault, sameKind, (data, more) =>
      log.warn({ ...data, ...withMore(more) }, 'channel fault'),
    ),
    peerChanged.subscribe((data) => log.warn(data, 'cache peer')),
    originFailed.subscribe((data) => log.warn(data, 'cache origin')),
    certificateRenewed.subscribe((data) => log.info(data, 'certificate')),
    certificateRefused.subscribe(({ error }) => log.error({ err: named(error) }, 'certificate refused')),
    cacheStoreTrouble.subscribe((data) => log.warn(data, 'cache store')),
    cacheWorkerLost.subscribe((data) => log.warn(data, 'cache worker')),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function logAnswers(log: Logger): readonly (() => void)[] {
  return [
    requestAnswered.subscribe(({ request: { method, url, clientAddress }, decision, status, bytes }) =>
      log.debug({ method, url, clientAddress, status, bytes, ...decision }, 'answered'),
    ),
    answerBroken.subscribe(({ request: { method, url, clientAddress }, decision, status }) =>
      log.debug({ method, url, clientAddress, status, ...decision }, 'broken off'),
    ),
    hitGiven.subscribe(({ decision, ...answer }) => log.debug({ ...answer, ...decision }, 'answered')),
  ];
}
