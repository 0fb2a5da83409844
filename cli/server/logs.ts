import { type Logger, pino } from 'pino';
import { brokerFault, reindexing, sourceReplaced, sourceState } from '../../broker/events.ts';
import { classicFault, classicSessionEnded, maintenanceFailed, webhookSent } from '../../broker/index.ts';
import {
  answerBroken,
  cacheFault,
  cacheStoreTrouble,
  cacheWorkerLost,
  certificateRenewed,
  hitGiven,
  originFailed,
  peerChanged,
  requestAnswered,
} from '../../cache/events.ts';
import { pushFailed, roundFinished } from '../../exchange/events.ts';
import { documentDone, gathererFault, runFinished } from '../../gatherer/events.ts';
import { gatherdFault, gatherdSessionEnded, summaryReduced } from '../../gatherer/index.ts';
import { requestFailed } from '../../http/events.ts';
import { systemClock } from '../../kernel/index.ts';
import { storeExpired } from '../../store/events.ts';
import { callerRefused, channelFault } from '../../wire/events.ts';
import { count, number, runLine, size } from '../text/number-formats.ts';
import { type Output, terminalSafe } from '../text/output.ts';
import { reportWaits } from '../text/wait-notices.ts';

/**
 * Tell what the folders publish, on stderr: in sentences (with the time before each where no person is looking on), or
 * with `--json` as pino's JSON lines. Returns what stops it.
 */
export function startLogs(output: Output): () => void {
  if (output.quiet) return () => undefined;
  return output.json ? forMachines() : forPeople(output);
}

const message = (error: unknown) => terminalSafe(error instanceof Error ? error.message : String(error));

/** What is said of a peer of a cache. */
const peerStates = {
  up: 'is up again',
  lame: 'could not fetch what another way could, and is asked after others for now',
  silent: 'does not answer questions, and is not waited for until it does',
  dead: 'answers no questions any more, and is asked now and then',
  denying: 'denies us its answers, and is asked no more',
  down: 'cannot be reached and is left out until it can',
  'unknown name': 'has a name that is not known, and is looked up again every ten seconds',
} as const;

function forPeople(output: Output): () => void {
  const tell = (sentence: string) =>
    output.note(output.isInteractive ? sentence : `${new Date(systemClock.now()).toISOString()} ${sentence}`);
  const stops = [
    sourceState.subscribe(({ source, state, error }) => {
      if (state === 'down')
        tell(`source ${terminalSafe(source)} is down: ${terminalSafe(error ?? 'no answer')}`);
    }),
    roundFinished.subscribe((round) => {
      if (round.learned + round.forgotten === 0) return;
      tell(
        `learned ${number(round.learned)} and forgot ${number(round.forgotten)} from ${terminalSafe(round.source)}: ${size(round.bytesUp + round.bytesDown)} on the wire`,
      );
    }),
    runFinished.subscribe((report) => {
      if (report.added + report.changed + report.deleted + report.failed > 0) tell(runLine(report));
    }),
    sourceReplaced.subscribe(({ source, before, now }) =>
      tell(
        `${terminalSafe(source)} is now ${terminalSafe(now)}; what ${terminalSafe(before)} offered is dropped`,
      ),
    ),
    reindexing.subscribe(({ reason }) => tell(`making the index anew: ${reason}`)),
    storeExpired.subscribe(({ count: expired }) => tell(`${count(expired, 'object')} expired`)),
    gathererFault.subscribe(({ where, error }) => tell(`${where}: ${message(error)}`)),
    gatherdFault.subscribe(({ command, error }) => tell(`gatherd ${command}: ${message(error)}`)),
    classicFault.subscribe(({ asked, error }) => tell(`classic ${terminalSafe(asked)}: ${message(error)}`)),
    pushFailed.subscribe(({ client, error }) =>
      tell(`push to ${terminalSafe(client)}: ${terminalSafe(error)}`),
    ),
    brokerFault.subscribe(({ where, error }) => tell(`${where}: ${message(error)}`)),
    cacheFault.subscribe(({ where, error }) => tell(`cache ${where}: ${message(error)}`)),
    cacheWorkerLost.subscribe(({ worker }) => tell(`cache worker ${worker} ended and is started anew`)),
    webhookSent.subscribe(({ view, webhook, state, error }) => {
      if (error !== undefined)
        tell(
          `webhook ${webhook} of view ${view}: ${terminalSafe(error)}${state === 'paused' ? '; it is paused' : ''}`,
        );
    }),
    maintenanceFailed.subscribe(({ error }) => tell(`merging the index: ${message(error)}`)),
    callerRefused.subscribe(({ where, reason }) =>
      tell(`caller ${terminalSafe(where)} was turned away: ${terminalSafe(reason)}`),
    ),
    channelFault.subscribe(({ where, error }) =>
      tell(`session with ${terminalSafe(where)}: ${message(error)}`),
    ),
    requestFailed.subscribe(({ route, error }) => tell(`${route}: ${message(error)}`)),
    peerChanged.subscribe(({ name, role, state }) =>
      tell(`${role} ${terminalSafe(name)} ${peerStates[state]}`),
    ),
    originFailed.subscribe(({ reason, times }) =>
      tell(
        `${terminalSafe(reason)}${times > 1 ? `; ${number(times)} requests failed since that was told` : ''}`,
      ),
    ),
    certificateRenewed.subscribe(({ validTo }) =>
      tell(`the certificate was read anew; it is valid until ${validTo.toISOString()}`),
    ),
    cacheStoreTrouble.subscribe(({ path, reason }) => tell(`${path}: ${terminalSafe(reason)}`)),
    reportWaits(systemClock, tell),
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

/** Write a line for each event that folders publish. Returns what stops it. */
export function logEvents(log: Logger): () => void {
  const stops = [
    sourceState.subscribe((data) => log[data.state === 'down' ? 'warn' : 'info'](data, 'source')),
    roundFinished.subscribe((data) => log[data.schemes.length === 0 ? 'debug' : 'info'](data, 'round')),
    runFinished.subscribe((data) => log.info(data, 'run')),
    summaryReduced.subscribe((data) => log.info(data, 'summary reduced')),
    documentDone.subscribe((data) => log[data.outcome === 'failed' ? 'warn' : 'debug'](data, 'document')),
    sourceReplaced.subscribe((data) => log.warn(data, 'source replaced')),
    reindexing.subscribe((data) => log.warn(data, 'reindexing')),
    storeExpired.subscribe((data) => log.info(data, 'expired')),
    gathererFault.subscribe(({ where, error }) => log.error({ where, err: error }, 'fault')),
    gatherdFault.subscribe(({ command, error }) => log.error({ command, err: error }, 'gatherd fault')),
    pushFailed.subscribe((data) => log.warn(data, 'push')),
    classicFault.subscribe(({ asked, error }) => log.error({ asked, err: error }, 'classic fault')),
    classicSessionEnded.subscribe((data) => log.info(data, 'classic session')),
    gatherdSessionEnded.subscribe((data) => log.info(data, 'gatherd session')),
    brokerFault.subscribe(({ where, error }) => log.error({ where, err: error }, 'fault')),
    cacheFault.subscribe(({ where, error }) => log.error({ where, err: error }, 'cache fault')),
    // Nobody pays for a line of each request who does not want it.
    ...(log.isLevelEnabled('debug') ? logAnswers(log) : []),
    webhookSent.subscribe((data) => log[data.error === undefined ? 'debug' : 'warn'](data, 'webhook')),
    maintenanceFailed.subscribe(({ error }) => log.error({ err: error }, 'index maintenance')),
    requestFailed.subscribe(({ method, route, error }) =>
      log.error({ method, route, err: error }, 'request'),
    ),
    callerRefused.subscribe((data) => log.warn(data, 'caller refused')),
    reportWaits(systemClock, (_, wait) => log.info(wait, 'waiting')),
    channelFault.subscribe((data) => log.warn(data, 'channel fault')),
    peerChanged.subscribe((data) => log.warn(data, 'cache peer')),
    originFailed.subscribe((data) => log.warn(data, 'cache origin')),
    certificateRenewed.subscribe((data) => log.info(data, 'certificate')),
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
