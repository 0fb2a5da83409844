import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './commands/command.ts';
import { measuredRun } from './hostile/run.ts';

test('a run of some hundred pages stays within a share of the CPU, and the report gives its cost', async (t) => {
  await using home = await temporaryFolder();
  const root = join(home.path, 'site');
  mkdirSync(root);
  const pages = 400;
  for (let n = 0; n < pages; n++) {
    const paragraphs = Array.from(
      { length: 100 },
      (_, at) => `<p>Paragraph ${at} of page ${n}: ${'word '.repeat(60)}`,
    );
    writeFileSync(join(root, `${n}.html`), `<title>Page ${n}</title>${paragraphs.join('\n')}`);
  }
  // Half a core, on any machine.
  const cores = availableParallelism();
  const share = Math.max(1, Math.round(50 / cores));
  const started = performance.now();
  const { code, report, cpuMs } = await measuredRun({
    cwd: home.path,
    root,
    env: { GARNER_GATHERER_CPU_SHARE: String(share) },
  });
  const used = (100 * cpuMs) / ((performance.now() - started) * cores);
  const waited = report.waited['gatherer.cpu-share'] ?? 0;
  t.diagnostic(
    `${used.toFixed(1)} % of ${cores} cores, ${Math.round(cpuMs)} ms; waited ${waited} of ${report.ms} ms`,
  );
  assert.deepEqual([code, report.added], [0, pages]);
  // Start and end are not part of the run.
  assert.ok(used <= share * 1.4, `${used} %`);
  // A busy machine may give the run less than its share: then there is nothing to wait for.
  assert.ok((waited > 0 || used < share) && waited <= report.ms);
});

test('all requests stay within a request rate, as the server sees them', async () => {
  const arrivals: number[] = [];
  const pages = 40;
  const server = createServer(({ url = '' }, response) => {
    arrivals.push(performance.now());
    const found = url === '/' || /^\/\d+\.html$/.test(url);
    const links = Array.from({ length: pages - 1 }, (_, n) => `<a href="/${n}.html">${n}</a>`);
    response
      .writeHead(found ? 200 : 404, { 'content-type': 'text/html' })
      .end(`<title>${url}</title>${url === '/' ? links.join(' ') : url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await using home = await temporaryFolder();
  const perSecond = 20;
  try {
    const { code, report } = await measuredRun({
      cwd: home.path,
      root: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      env: { GARNER_GATHERER_REQUEST_RATE: String(perSecond) },
    });
    assert.deepEqual([code, report.added], [0, pages]);
    assert.ok((report.waited['gatherer.request-rate'] ?? 0) > 0);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  assert.ok(arrivals.length >= pages);
  // A delayed request arrives closer to the next ones.
  const burst = 1 + 3;
  for (const [first, from] of arrivals.entries())
    for (const [more, to] of arrivals.slice(first).entries()) {
      const allowed = burst + ((to - from) * perSecond) / 1000;
      assert.ok(more + 1 <= allowed, `${more + 1} requests in ${to - from} ms`);
    }
});
