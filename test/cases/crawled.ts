import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RunReport } from '../../gatherer/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { oidOf } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import { runHere } from '../commands/command-here.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A page of HTML. */
export const page = (title: string, body = '', head = ''): Answer => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`,
});

export const moved = (location: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 302,
  headers: { location, ...headers },
});

/** A page of links. */
export const linked = (...links: readonly string[]): Answer =>
  page('Home', links.map((link, at) => `<a href="${link.replaceAll('&', '&amp;')}">${at}</a>`).join(' '));

type Serve = (url: URL, request: IncomingMessage) => Answer | undefined;

/** A site on loopback and a Gatherer that crawls it with the settings of everybody. */
export async function openCrawl(serve: Serve) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    asked.push(url);
    const missing = { ...page('Not found', 'nope'), status: 404 };
    const { status = 200, headers = {}, body = '' } = serve(new URL(url, base), request) ?? missing;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const home = await temporaryFolder();
  const data = join(home.path, 'data');
  return {
    base,
    asked,
    /** Gather the site; the report says what was left out. */
    run: async (...more: readonly string[]): Promise<RunReport> => {
      asked.length = 0;
      const root = ['--root', `${base}/`, '--data', data, '--json'];
      const { stdout, stderr } = await runHere(['gatherer', 'run', ...root, ...more]);
      if (!stdout.startsWith('{')) throw new Error(stderr);
      return JSON.parse(stdout) as RunReport;
    },
    /** The object of a path as SOIF, with paths for the addresses of the site; undefined when there is none. */
    object: async (path: string): Promise<string | undefined> => {
      const { stdout } = await runHere(['gatherer', 'show', `${base}${path}`, '--data', data]);
      return stdout.startsWith(`@FILE { ${base}${path}\n`) ? stdout.replaceAll(base, '') : undefined;
    },
    /** Which of these paths have an object. */
    objects: async (paths: readonly string[]): Promise<readonly string[]> => {
      await using folder = await openDataFolder(join(data, 'gatherer'), {
        role: 'gatherer',
        create: false,
        clock: systemClock,
        random: systemRandom,
      });
      const own = paths.map((path) => folder.store.describe(oidOf(folder.identity.serverId, base + path)));
      const held = await Promise.all(own);
      return paths.filter((_, at) => held[at] !== undefined);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await home[Symbol.asyncDispose]();
    },
  };
}

/** The rules of a report that begin with a text, with the number of URLs of each. */
export const rulesOf = ({ skipped }: RunReport, text: string) =>
  Object.entries(skipped).filter(([rule]) => rule.includes(text));
