/** Parts of a benchmark that run as processes of their own, so that nothing else shares their CPU and memory. */
const probes: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<unknown>>>> = {
  'awareness-source': async () => (await import('./awareness/source.ts')).probeAwarenessSource,
  'awareness-write': async () => (await import('./awareness/write.ts')).probeAwarenessWrite,
  'cache-fill': async () => (await import('./cache/million.ts')).probeCacheFill,
  'cache-open': async () => (await import('./cache/million.ts')).probeCacheOpen,
  'cache-origin': async () => (await import('./cache/origin.ts')).probeCacheOrigin,
  'cache-pauses': async () => (await import('./cache/pauses.ts')).probeCachePauses,
  'index-garner': async () => (await import('./index/probe.ts')).probeIndexGarner,
  'index-garner-bare': async () => (await import('./index/probe.ts')).probeIndexGarnerBare,
  'index-glimpse': async () => (await import('./index/probe.ts')).probeIndexGlimpse,
  'index-store': async () => (await import('./index/probe.ts')).probeIndexStore,
  'index-minisearch': async () => (await import('./index/probe.ts')).probeIndexMinisearch,
  index: async () => (await import('./probes/index.ts')).probeIndex,
  'million-fill': async () => (await import('./million/probe.ts')).probeMillionFill,
  'million-serve': async () => (await import('./million/probe.ts')).probeMillionServe,
  open: async () => (await import('./probes/open.ts')).probeOpen,
  parser: async () => (await import('./probes/parser.ts')).probeParser,
  search: async () => (await import('./probes/search.ts')).probeSearch,
  'wire-sender': async () => (await import('./probes/wire-sender.ts')).probeWireSender,
  'wire-receiver': async () => (await import('./probes/wire-receiver.ts')).probeWireReceiver,
};

/** Run a probe and print what it measured as one line of JSON. */
export async function runProbeHere(name: string, args: readonly string[]): Promise<void> {
  const load = probes[name];
  if (load === undefined) throw new TypeError(`there is no probe ${name}`);
  const probe = await load();
  process.stdout.write(`${JSON.stringify(await probe(args))}\n`);
}
