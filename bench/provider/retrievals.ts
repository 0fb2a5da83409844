import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { FtpClient } from '../../fetch/index.ts';
import { runProbe } from '../harness/child.ts';
import type { Site } from '../material/corpus.ts';
import type { LocalFilesMeasured } from '../probes/local-files.ts';
import type { Nginx } from '../programs/nginx.ts';
import type { Vsftpd } from '../programs/vsftpd.ts';

/** Seconds per object. */
export interface ObjectCost {
  readonly cpu: number;
  readonly elapsed: number;
}

/** Retrieve the files of the site by FTP, one after another, over one connection or one for each file. */
export async function byFtp(server: Vsftpd, site: Site, kept: boolean): Promise<ObjectCost> {
  const before = server.cpuSeconds;
  const started = performance.now();
  {
    await using client = new FtpClient({ allowHosts: [server.url], ...(kept ? {} : { keepMs: 0 }) });
    let bytes = 0;
    for (const page of site.pages) bytes += (await client.read(server.url + page)).length;
    const { connections } = client.counts;
    if (bytes !== site.bytes || connections !== (kept ? 1 : site.pages.length))
      throw new Error(`${bytes} bytes of ${site.bytes} by FTP over ${connections} connections`);
  }
  const seconds = (performance.now() - started) / 1000;
  await server.rest();
  return perObject(site, server.cpuSeconds - before, seconds);
}

/** The same by HTTP from nginx. */
export async function byHttp(server: Nginx, site: Site, kept: boolean): Promise<ObjectCost> {
  const agent = new Agent({ keepAlive: kept, maxSockets: 1 });
  const base = server.url('plain');
  const before = server.cpuSeconds;
  const started = performance.now();
  let bytes = 0;
  const sockets = new Set<unknown>();
  for (const page of site.pages) {
    const [response] = (await once(get(base + page, { agent }), 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${page} was answered with ${response.statusCode}`);
    sockets.add(response.socket);
    for await (const chunk of response) bytes += (chunk as Buffer).length;
  }
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  if (bytes !== site.bytes || sockets.size !== (kept ? 1 : site.pages.length))
    throw new Error(`${bytes} bytes of ${site.bytes} by HTTP over ${sockets.size} connections`);
  return perObject(site, server.cpuSeconds - before, seconds);
}

/** The same from the file system, in the provider's own process. */
export async function byLocalFile(site: Site, cwd: string, times: number): Promise<ObjectCost> {
  const args = [site.folder, String(times)];
  const { files, cpuSeconds, seconds } = await runProbe<LocalFilesMeasured>('local-files', args, cwd);
  if (files !== site.pages.length) throw new Error(`${files} local files, not ${site.pages.length}`);
  return perObject(site, cpuSeconds, seconds);
}

const perObject = ({ pages }: Site, cpu: number, elapsed: number): ObjectCost => ({
  cpu: cpu / pages.length,
  elapsed: elapsed / pages.length,
});
