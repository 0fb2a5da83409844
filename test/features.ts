// The register of features: what Garner does for its users, and the test or figure that shows each.
import { administration } from './features/administration.ts';
import { annotate } from './features/annotate.ts';
import { applications } from './features/applications.ts';
import { archives } from './features/archives.ts';
import { awareness } from './features/awareness.ts';
import { broker } from './features/broker.ts';
import { cache } from './features/cache.ts';
import { cacheDoors } from './features/cache-doors.ts';
import { cacheHttp } from './features/cache-http.ts';
import { cachePeers } from './features/cache-peers.ts';
import { cacheStore } from './features/cache-store.ts';
import { calm } from './features/calm.ts';
import { charsets } from './features/charsets.ts';
import { cli } from './features/cli.ts';
import { config } from './features/config.ts';
import { crawling } from './features/crawling.ts';
import { customise } from './features/customise.ts';
import { damage } from './features/damage.ts';
import { engine } from './features/engine.ts';
import type { Area, Register } from './features/feature.ts';
import { federationFigures } from './features/federation-figures.ts';
import { fetch } from './features/fetch.ts';
import { figures } from './features/figures.ts';
import { formats } from './features/formats.ts';
import { gatherer } from './features/gatherer.ts';
import { http } from './features/http.ts';
import { keys } from './features/keys.ts';
import { library } from './features/library.ts';
import { officeAndPdf } from './features/office-and-pdf.ts';
import { operations } from './features/operations.ts';
import { operatorPages } from './features/operator-pages.ts';
import { packages } from './features/packages.ts';
import { pageMetadata } from './features/page-metadata.ts';
import { pages } from './features/pages.ts';
import { query } from './features/query.ts';
import { queryReading } from './features/query-reading.ts';
import { quotas } from './features/quotas.ts';
import { ranking } from './features/ranking.ts';
import { recovery } from './features/recovery.ts';
import { registry } from './features/registry.ts';
import { registryVerbs } from './features/registry-verbs.ts';
import { replicas } from './features/replicas.ts';
import { roots } from './features/roots.ts';
import { search } from './features/search.ts';
import { searchApi } from './features/search-api.ts';
import { soif } from './features/soif.ts';
import { store } from './features/store.ts';
import { strangers } from './features/strangers.ts';
import { topology } from './features/topology.ts';
import { types } from './features/types.ts';
import { typesByBytes } from './features/types-by-bytes.ts';
import { typing } from './features/typing.ts';
import { upkeepByOperators } from './features/upkeep-by-operators.ts';
import { views } from './features/views.ts';
import { web } from './features/web.ts';
import { wire } from './features/wire.ts';
import { withdrawals } from './features/withdrawals.ts';
import { words } from './features/words.ts';

const areas: readonly Area[] = [
  soif,
  store,
  damage,
  wire,
  awareness,
  registry,
  registryVerbs,
  topology,
  strangers,
  quotas,
  calm,
  applications,
  replicas,
  keys,
  fetch,
  http,
  gatherer,
  roots,
  types,
  typesByBytes,
  charsets,
  crawling,
  formats,
  officeAndPdf,
  recovery,
  archives,
  packages,
  pageMetadata,
  customise,
  annotate,
  query,
  queryReading,
  engine,
  search,
  ranking,
  searchApi,
  broker,
  administration,
  views,
  withdrawals,
  words,
  pages,
  operatorPages,
  cacheHttp,
  cacheStore,
  cacheDoors,
  cachePeers,
  cache,
  cli,
  config,
  web,
  typing,
  library,
  operations,
  upkeepByOperators,
  figures,
  federationFigures,
];

export const features: Register = areas.flatMap((area) => Object.entries(area));
