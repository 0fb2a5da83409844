import { dataOption, dataPath } from '../data-option.ts';
import type { Verb } from '../verb.ts';

/** `garner gatherer run`: gather once. */
export const gathererRun: Verb = {
  command: 'gatherer run',
  describe: 'Gather once; what did not change is neither read nor fetched again',
  examples: [
    ['gatherer run --root ./public --base-url https://www.example.org/', 'summarise a folder under its URLs'],
    ['gatherer run --root https://www.example.org/', 'summarise a web site'],
  ],
  options: {
    data: dataOption,
    root: {
      kind: 'text',
      describe:
        'Folder or URL: http, https, ftp, gopher, news, feed, git, mbox, maildir, program; that of the last run when absent',
    },
    'base-url': { kind: 'text', describe: 'URL that the folder is published under' },
  },
  settings: async () => (await import('../all-settings.ts')).settingsOfGatherer,
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
  ],
  handler: async (run) => {
    const { openOrAsk } = await import('../holder.ts');
    const { openGatherer } = await import('../open-gatherer.ts');
    const { givenSite } = await import('../given-site.ts');
    const { writeSite } = await import('../site.ts');
    const { callControl } = await import('../../http/index.ts');
    const { documentDone } = await import('../../gatherer/index.ts');
    const { systemClock } = await import('../../kernel/index.ts');
    const { startProgress } = await import('../progress.ts');
    const { terminalSafe } = await import('../output.ts');
    const { number, runComplaints, runLine } = await import('../wording.ts');
    const { args, output, signal, cwd } = run;
    const config = await run.config();
    const path = dataPath(cwd, args.required('data'), 'gatherer');
    const site = await givenSite(run, path);

    let [documents, at] = [0, ''];
    const stop = documentDone.subscribe(({ url }) => {
      documents++;
      at = url;
    });
    await using progress = startProgress({
      output,
      clock: systemClock,
      render: () => `${number(documents)} gathered · ${terminalSafe(at)}`,
    });
    const report = await openOrAsk(
      path,
      async () => {
        await using opened = await openGatherer(path, site, config);
        await writeSite(path, opened.site);
        const done = await opened.gatherer.run(signal);
        await opened.stream.prepare();
        return done;
      },
      async (door) => (await callControl(door, '/control/run', { method: 'POST', signal })) as never,
    );
    stop();
    await progress.end();
    for (const complaint of runComplaints(report)) output.note(complaint);
    await output.result(report, runLine);
    if (signal.aborted) return 130;
    return report.failed > 0 ? 3 : 0;
  },
};
