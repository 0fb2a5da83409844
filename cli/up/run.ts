import { roundFinished, roundProgress } from '../../exchange/events.ts';
import { documentDone, type RunReport } from '../../gatherer/events.ts';
import type { PushLinkStatus } from '../../gatherer/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { type ServedBroker, serveBroker } from '../broker/serving/serve-broker.ts';
import { dataPath } from '../command/common-options.ts';
import { orInterrupted } from '../command/interrupt.ts';
import { lockedByUp } from '../command/open-or-ask.ts';
import type { Run } from '../command/verb.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { defaultPorts } from '../config/ports.ts';
import { type Site, siteName } from '../config/site.ts';
import { tlsSetting } from '../config/tls-files.ts';
import { serverTokens } from '../config/tokens.ts';
import { type ServedGatherer, serveGatherer } from '../gatherer/serve-gatherer.ts';
import { startLogs } from '../server/logs.ts';
import { count, number, seconds, size } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';
import { type Progress, startProgress } from '../text/progress.ts';
import { runComplaints } from '../text/run-lines.ts';
import { WaitWatch } from '../text/wait-notices.ts';
import { openUpSite, type UpSite } from './site.ts';

/** The time between two checks of a web site under `up`, unless gatherer.recheck is set. */
const recheckSeconds = 180;

/** The origin of the Gatherer's entry among the sources of the Broker of `up`. */
const sourcePlace = 'garner up';

/** The report of `up` when the search page is ready. */
interface UpReport {
  readonly site: string;
  readonly search: string;
  readonly gatherer: string;
  /** The address for collectors of Harvest's time, when that port is open. */
  readonly gatherd?: string;
  /** The page that annotates documents, when there is a token for it. */
  readonly annotate?: string;
  /** The Brokers that are pushed to, without the one of this process. */
  readonly pushes?: readonly PushLinkStatus[];
  readonly objects: number;
  readonly bytesRead: number;
  readonly wireBytes: number;
  readonly ms: number;
  readonly failed: number;
  readonly goneCount: number;
  readonly gone: RunReport['gone'];
}

function watchProgress(run: Run): { progress: Progress; stop: () => void; wireBytes: () => number } {
  let [documents, failed, bytes, learned, at] = [0, 0, 0, 0, ''];
  const stops = [
    documentDone.subscribe(({ url, outcome }) => {
      documents++;
      if (outcome === 'failed') failed++;
      at = url;
    }),
    roundProgress.subscribe((round) => {
      learned = Math.max(learned, round.learned);
    }),
    roundFinished.subscribe((round) => {
      bytes += round.bytesUp + round.bytesDown;
    }),
  ];
  const started = systemClock.now();
  const waits = new WaitWatch(systemClock);
  const progress = startProgress({
    output: run.output,
    clock: systemClock,
    render: () => {
      const rate = documents / Math.max(0.001, (systemClock.now() - started) / 1000);
      const bad = failed === 0 ? '' : ` · ${number(failed)} failed`;
      return `${number(documents)} gathered${bad} · ${number(learned)} collected · ${rate.toFixed(0)}/s${waits.words(run.output.isInteractive)} · ${terminalSafe(at)}`;
    },
  });
  return {
    progress,
    stop: () => {
      for (const stop of stops) stop();
      waits[Symbol.dispose]();
    },
    wireBytes: () => bytes,
  };
}

/** The hosts of the site of `garner up`. */
function ownHosts(site: Site): readonly string[] {
  const url = site.kind === 'folder' ? site.baseUrl : site.kind === 'web' ? site.url : '';
  return /^https?:/.test(url) ? [url] : [];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whether to register. On a terminal the person is asked, unless a flag names the Registry; the default is no. */
async function mayRegister({ ask }: Run, config: EffectiveConfig): Promise<boolean> {
  const key = 'server.registry';
  const registries = config.list(key);
  if (ask === undefined || registries.length === 0 || config.origin(key).startsWith('--')) return true;
  const answer = await ask(`register with ${terminalSafe(registries.join(', '))}? [n] `);
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Wait until every gathered document is collected and searchable. */
async function searchable(gatherer: ServedGatherer, broker: ServedBroker): Promise<void> {
  const { collector, indexer, folder } = broker.opened.broker;
  await collector.collectNow(gatherer.listening.wireUrl);
  await indexer.reached(folder.store.lsn);
}

function summary(report: UpReport, first: RunReport, data: string): string {
  const width = (label: string) => `  ${label.padEnd(10)}`;
  return [
    `${width('site')}${terminalSafe(report.site)}`,
    `${width('gatherer')}${count(report.objects, 'summary', 'summaries')} of ${size(report.bytesRead)} read (${seconds(first.ms)})`,
    `${width('broker')}${count(report.objects, 'object')} collected and indexed, ${size(report.wireBytes)} on the wire (${seconds(report.ms)} in all)`,
    ...(report.gatherd === undefined ? [] : [`${width('gatherd')}${report.gatherd}`]),
    ...(report.annotate === undefined ? [] : [`${width('annotate')}${report.annotate}`]),
    ...(report.pushes ?? []).map(
      ({ url, state, error }) =>
        `${width('push to')}${url}: ${state}${error === null ? '' : `; ${terminalSafe(error)}`}`,
    ),
    `${width('search')}${report.search}`,
    '',
    `  open the search page, or:  garner broker search "word"${data === 'garner-data' ? '' : ` --data ${data}`}`,
    `  data is in ${data}; you may delete it. Ctrl-C stops.`,
  ].join('\n');
}

function replacedBy(data: string, { site, replaced, annotationsDeleted }: UpSite): string {
  if (replaced === undefined) return '';
  const went = annotationsDeleted === 0 ? '' : `; ${count(annotationsDeleted, 'annotation')} deleted with it`;
  return `${data} held ${terminalSafe(siteName(replaced))}, now replaced by ${terminalSafe(siteName(site))}${went}`;
}

/** Run `up` until it is interrupted. */
export async function runUp(run: Run): Promise<number> {
  const { args, output, cwd, signal } = run;
  const started = systemClock.now();
  const config = await run.config();
  const data = args.required('data');
  const watched = watchProgress(run);
  const sitePort = args.count('site-port');
  /** The other site of the data folder, until this one takes its place. */
  let waiting: Site | undefined;
  try {
    await using upSite = await openUpSite({
      root: args.text('site'),
      cwd,
      data,
      hidden: config.flag('gatherer.hidden'),
      sitePort,
      deleteAnnotations: args.flag('delete-annotations'),
    });
    signal.throwIfAborted();
    const { site } = upSite;
    waiting = upSite.replaced;
    const registers = await mayRegister(run, config);
    const isInternal = tlsSetting(config, 'http') !== undefined;
    await using gatherer = await serveGatherer(dataPath(cwd, data, 'gatherer'), site, config, {
      port: 0,
      defaultRecheckSeconds: recheckSeconds,
      // Its own Broker would have to trust a certificate that does not name this address.
      isInternal,
      // The address for others is the Broker's.
      isUnlisted: !registers || isInternal || config.text('server.public-url') !== '',
    });
    signal.throwIfAborted();
    if (config.list('server.registry').length > 0) {
      const { noteGatheredSite } = await import('../gatherer/registered-gatherer.ts');
      await noteGatheredSite(gatherer.opened, config, run);
    }
    const source = { url: gatherer.listening.wireUrl, from: sourcePlace, ...sessionToken(config) };
    await using broker = await serveBroker(dataPath(cwd, data, 'broker'), [source], config, {
      port: args.count('port') ?? defaultPorts.broker,
      // The operator named this site, so its Broker may fetch from it too, wherever it is.
      ownHosts: ownHosts(site),
      isUnlisted: !registers,
      gathersFirst: true,
    });
    // A crash while one site replaced another may have left objects of a Gatherer that no longer exists.
    await broker.opened.broker.forgetBefore(gatherer.opened.folder.identity.serverId, sourcePlace);
    signal.throwIfAborted();
    const keep = async () => {
      if (waiting !== undefined) output.note(replacedBy(data, upSite));
      waiting = undefined;
      await upSite.keep();
    };
    await gatherer.recordSite();
    let first: RunReport;
    try {
      first = await gatherer.gather(signal);
    } finally {
      // The next run continues from what an interrupted run gathered; when that is nothing the old data is worth more.
      if (gatherer.opened.folder.store.count > 0) await keep();
    }
    signal.throwIfAborted();
    await keep();
    await orInterrupted(searchable(gatherer, broker), signal);
    broker.opened.broker.collector.isFilling = false;
    await watched.progress.end();
    const report: UpReport = {
      site: site.kind === 'folder' ? `${site.baseUrl} (${site.path}, served from here)` : siteName(site),
      search: broker.listening.http.url,
      gatherer: gatherer.listening.wireUrl,
      ...(gatherer.gatherdAddress === undefined ? {} : { gatherd: gatherer.gatherdAddress }),
      ...(gatherer.annotateUrl === undefined ? {} : { annotate: gatherer.annotateUrl }),
      ...(gatherer.pushes().length === 0 ? {} : { pushes: gatherer.pushes() }),
      objects: broker.opened.broker.folder.store.count,
      bytesRead: first.bytesRead,
      wireBytes: watched.wireBytes(),
      ms: systemClock.now() - started,
      failed: first.failed,
      goneCount: first.goneCount,
      gone: first.gone,
    };
    for (const complaint of runComplaints(first)) output.note(run.typed(`  ${complaint}`));
    await output.result(report, () => run.typed(summary(report, first, data)));
    run.whenHungUp(() => broker.listening.reload());
    const stopLogs = startLogs(output);
    await aborted(signal);
    stopLogs();
    return 0;
  } catch (error) {
    if (waiting !== undefined) output.note(`${data} still holds ${terminalSafe(siteName(waiting))}`);
    throw await lockedByUp(error, cwd, data);
  } finally {
    watched.stop();
    await watched.progress.end();
  }
}

function sessionToken(config: EffectiveConfig): { token?: string } {
  const token = serverTokens(config).session?.[0];
  return token === undefined ? {} : { token };
}
