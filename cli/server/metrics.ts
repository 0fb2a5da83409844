import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { indexed, objectMatched, queryAnswered, segmentsMerged, webhookSent } from '../../broker/events.ts';
import { collectServed, roundFinished } from '../../exchange/events.ts';
import { documentDone } from '../../gatherer/events.ts';
import { requestFinished } from '../../http/events.ts';
import type { MetricsProvider } from '../../http/index.ts';
import { storeWritten } from '../../store/events.ts';
import type { DataRole } from '../../store/index.ts';
import { sessionClosed, sessionOpened } from '../../wire/events.ts';

const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
const registry = new Registry();
const registers = [registry];
const measured = new Set<DataRole>();

export function metricsRegistry(): Registry {
  return registry;
}

/** Prometheus metrics of this process, from the events of its roles; one process may have several. */
export function metricsProvider(role: DataRole): MetricsProvider {
  if (measured.size === 0) ofAll();
  const isStore = (one: DataRole) => one !== 'cache';
  if (isStore(role) && ![...measured].some(isStore)) ofStores();
  if (!measured.has(role) && role === 'gatherer') ofGatherers();
  if (!measured.has(role) && role === 'broker') ofBrokers();
  measured.add(role);
  return { contentType: registry.contentType, text: () => registry.metrics() };
}

function ofAll(): void {
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'garner_http_request_seconds',
    help: 'Time to answer an HTTP request, by route and status',
    labelNames: ['route', 'status'],
    buckets,
    registers,
  });
  requestFinished.subscribe(({ route, status, ms, isStanding }) => {
    if (!isStanding) requests.observe({ route, status: String(status) }, ms / 1000);
  });
}

/** Metrics of the roles that have summaries and are collected from. */
function ofStores(): void {
  const sessions = new Gauge({ name: 'garner_wire_sessions', help: 'Sessions that are open', registers });
  sessionOpened.subscribe(() => sessions.inc());
  sessionClosed.subscribe(() => sessions.dec());

  const served = new Counter({
    name: 'garner_collections_served_total',
    help: 'Collections answered in full, by scheme',
    labelNames: ['scheme'],
    registers,
  });
  collectServed.subscribe(({ scheme }) => served.inc({ scheme }));

  const batches = new Histogram({
    name: 'garner_store_batch_seconds',
    help: 'Time to write a batch',
    buckets,
    registers,
  });
  storeWritten.subscribe(({ ms }) => batches.observe(ms / 1000));
}

function ofGatherers(): void {
  const documents = new Counter({
    name: 'garner_documents_total',
    help: 'Documents processed by a Gatherer, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  documentDone.subscribe(({ outcome }) => documents.inc({ outcome }));
}

function ofBrokers(): void {
  const wireBytes = new Counter({
    name: 'garner_wire_bytes_total',
    help: 'Bytes of collecting, WebSocket framing included, by direction',
    labelNames: ['direction'],
    registers,
  });
  const learned = new Counter({
    name: 'garner_objects_learned_total',
    help: 'Objects learned or forgotten from sources',
    labelNames: ['what'],
    registers,
  });
  roundFinished.subscribe((round) => {
    wireBytes.inc({ direction: 'up' }, round.bytesUp);
    wireBytes.inc({ direction: 'down' }, round.bytesDown);
    learned.inc({ what: 'learned' }, round.learned);
    learned.inc({ what: 'forgotten' }, round.forgotten);
  });

  const queries = new Histogram({
    name: 'garner_query_seconds',
    help: 'Time to answer a query',
    buckets,
    registers,
  });
  queryAnswered.subscribe(({ ms }) => queries.observe(ms / 1000));

  const behind = new Gauge({ name: 'garner_index_behind', help: 'Changes not searchable yet', registers });
  indexed.subscribe((batch) => behind.set(batch.behind));

  const merges = new Counter({
    name: 'garner_index_merges_total',
    help: 'Merges of index segments',
    registers,
  });
  segmentsMerged.subscribe(() => merges.inc());

  const matches = new Histogram({
    name: 'garner_view_match_seconds',
    help: 'Time to match a changed object against the views',
    buckets,
    registers,
  });
  objectMatched.subscribe(({ ms }) => matches.observe(ms / 1000));

  const webhooks = new Counter({
    name: 'garner_webhooks_total',
    help: 'Messages sent to webhooks, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  webhookSent.subscribe(({ error }) => webhooks.inc({ outcome: error === undefined ? 'sent' : 'failed' }));
}
