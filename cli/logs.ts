import { pino } from 'pino';
import { brokerFault, maintenanceFailed, reindexing, sourceReplaced, sourceState } from '../broker/index.ts';
import { roundFinished } from '../exchange/index.ts';
import { documentDone, gathererFault, runFinished, summaryReduced } from '../gatherer/index.ts';
import { requestFailed } from '../http/index.ts';
import { storeExpired } from '../store/index.ts';
import { callerRefused, channelFault } from '../wire/index.ts';
import { type Output, terminalSafe } from './output.ts';
import { count, number, runLine, size } from './wording.ts';

/**
 * Tell what the folders publish: to a person in sentences, to a machine (no terminal, or `--json`) as pino's JSON
 * lines on stderr. Returns what stops it.
 */
export function startLogs(output: Output): () => void {
  if (output.quiet) return () => undefined;
  return output.isInteractive ? forPeople(output) : forMachines();
}

const message = (error: unknown) => terminalSafe(error instanceof Error ? error.message : String(error));

function forPeople(output: Output): () => void {
  const stops = [
    sourceState.subscribe(({ source, state, error }) => {
      if (state === 'down')
        output.note(`source ${terminalSafe(source)} is down: ${terminalSafe(error ?? 'no answer')}`);
    }),
    roundFinished.subscribe((round) => {
      if (round.learned + round.forgotten === 0) return;
      output.note(
        `learned ${number(round.learned)} and forgot ${number(round.forgotten)} from ${terminalSafe(round.source)}: ${size(round.bytesUp + round.bytesDown)} on the wire`,
      );
    }),
    runFinished.subscribe((report) => {
      if (report.added + report.changed + report.deleted + report.failed > 0) output.note(runLine(report));
    }),
    sourceReplaced.subscribe(({ source, before, now }) =>
      output.note(
        `${terminalSafe(source)} is now ${terminalSafe(now)}; what ${terminalSafe(before)} offered is dropped`,
      ),
    ),
    reindexing.subscribe(({ reason }) => output.note(`making the index anew: ${reason}`)),
    storeExpired.subscribe(({ count: expired }) => output.note(`${count(expired, 'object')} expired`)),
    gathererFault.subscribe(({ where, error }) => output.note(`${where}: ${message(error)}`)),
    brokerFault.subscribe(({ where, error }) => output.note(`${where}: ${message(error)}`)),
    maintenanceFailed.subscribe(({ error }) => output.note(`merging the index: ${message(error)}`)),
    requestFailed.subscribe(({ route, error }) => output.note(`${route}: ${message(error)}`)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function forMachines(): () => void {
  const log = pino(
    { level: process.env.GARNER_LOG_LEVEL ?? 'info' },
    pino.destination({ dest: 2, sync: true }),
  );
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
    brokerFault.subscribe(({ where, error }) => log.error({ where, err: error }, 'fault')),
    maintenanceFailed.subscribe(({ error }) => log.error({ err: error }, 'index maintenance')),
    requestFailed.subscribe(({ method, route, error }) =>
      log.error({ method, route, err: error }, 'request'),
    ),
    callerRefused.subscribe((data) => log.warn(data, 'caller refused')),
    channelFault.subscribe((data) => log.warn(data, 'channel fault')),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
