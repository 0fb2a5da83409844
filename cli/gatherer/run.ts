import { dataOption, dataPath, rootWords } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner gatherer run`: gather once. */
export const gathererRun: Verb = {
  command: 'gatherer run',
  describe: 'Gather once; unchanged documents are neither read nor fetched again',
  examples: [
    ['gatherer run --root ./public --base-url https://www.example.org/', 'summarise a folder under its URLs'],
    ['gatherer run --root https://www.example.org/', 'summarise a web site'],
  ],
  options: {
    data: dataOption,
    root: {
      kind: 'text',
      describe: `${rootWords}; default: the root of the last run`,
    },
    'base-url': { kind: 'text', describe: 'URL that the folder is published under' },
    list: { kind: 'flag', describe: 'List every document that is left out, with the rule' },
  },
  settings: async () => {
    const { settingsOfAsking, settingsOfGatherer } = await import('../config/all-settings.ts');
    return [...settingsOfGatherer, ...settingsOfAsking];
  },
  shownSettings: [
    'gatherer.name',
    'gatherer.text',
    'gatherer.stop',
    'gatherer.allow',
    'gatherer.hidden',
    'gatherer.robots',
    'gatherer.stay-below',
    'gatherer.max-urls',
    'gatherer.max-depth',
    'fetch.contact',
    'fetch.delay',
    'fetch.allow-hosts',
    'fetch.cache',
    'server.registry',
  ],
  runsAsCaller: true,
  handler: async (run) => {
    const { openOrAsk, settingFlags } = await import('../command/open-or-ask.ts');
    const { openGatherer } = await import('./open-gatherer.ts');
    const { givenSite, otherSiteOptions } = await import('./site-option.ts');
    const { writeSite } = await import('../config/site.ts');
    const { callControl } = await import('../../http/index.ts');
    const { documentDone } = await import('../../gatherer/events.ts');
    const { fileRestored, storeMended } = await import('../../store/events.ts');
    const { mendedLine, restoredLine } = await import('../server/logs.ts');
    const { systemClock } = await import('../../kernel/index.ts');
    const { startProgress } = await import('../text/progress.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { listLeftOut } = await import('./left-out.ts');
    const { WaitWatch } = await import('../text/wait-notices.ts');
    const { number } = await import('../text/number-formats.ts');
    const { runComplaints, runLine } = await import('../text/run-lines.ts');
    const { args, output, signal, cwd } = run;
    const config = await run.config();
    const path = dataPath(cwd, args.required('data'), 'gatherer');
    const site = await givenSite(run, path);

    let [documents, at] = [0, ''];
    const list = args.flag('list') ? listLeftOut(output) : undefined;
    const stop = documentDone.subscribe((done) => {
      documents++;
      at = done.url;
      list?.take(done);
    });
    const stopDamage = storeMended.subscribe((mended) => output.note(mendedLine(mended)));
    const stopRestored = fileRestored.subscribe((restored) => output.note(restoredLine(restored)));
    using waits = new WaitWatch(systemClock);
    await using progress = startProgress({
      output,
      clock: systemClock,
      // A wait comes first: a long address would push it off the line.
      render: () => `${number(documents)} gathered${waits.words(output.isInteractive)} · ${terminalSafe(at)}`,
    });
    const report = await openOrAsk(
      path,
      async () => {
        await using opened = await openGatherer(path, site, config);
        await writeSite(path, opened.site);
        if (config.list('server.registry').length > 0) {
          const { noteGatheredSite } = await import('./registered-gatherer.ts');
          await noteGatheredSite(opened, config, run);
        }
        const done = await opened.gatherer.run(signal);
        await opened.stream.prepare();
        return done;
      },
      async (door) => (await callControl(door, '/control/run', { method: 'POST', signal })) as never,
      [...settingFlags(config), ...(await otherSiteOptions(run, path)), ...(list ? ['--list'] : [])],
    );
    stop();
    stopDamage();
    stopRestored();
    await progress.end();
    await list?.end();
    for (const complaint of runComplaints(report)) output.note(run.typed(complaint));
    await output.result(report, runLine);
    if (signal.aborted) return 130;
    return report.failed > 0 ? 3 : 0;
  },
};
