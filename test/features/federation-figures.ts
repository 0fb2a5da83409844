import type { Area } from './feature.ts';

export const federationFigures: Area = {
  'figure.federation-cranfield-clustered': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cranfield, cut by topic.',
    bench: 'federation',
    table: 'cranfield, clustered: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-cranfield-random': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cranfield, cut at random.',
    bench: 'federation',
    table: 'cranfield, random: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-cisi-clustered': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cisi, cut by topic.',
    bench: 'federation',
    table: 'cisi, clustered: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-cisi-random': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cisi, cut at random.',
    bench: 'federation',
    table: 'cisi, random: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-summary': {
    feature: 'The size of a content summary is measured.',
    bench: 'federation',
    row: 'largest summary of a Broker',
  },
  'figure.federation-large': {
    feature: 'The size of the content summary of a Broker with more than 100 MB of text is measured.',
    bench: 'federation',
    row: 'its summary, of the text',
  },
  'figure.federation-update': {
    feature: 'The bytes that a description sends after 1 % of the objects changed are measured.',
    bench: 'federation',
    row: 'sent after 1 % of its objects changed, of the first sending',
  },
  'figure.federation-p95': {
    feature: 'The time of a federated query beside its slowest Broker is measured.',
    bench: 'federation',
    row: 'the difference of the two',
  },
  'figure.federation-trips': {
    feature: 'The round trips of a federated query are measured.',
    bench: 'federation',
    row: 'round trips of a query',
  },
  'figure.federation-stopped': {
    feature: 'The time beyond the deadline, where a Broker is stopped, is measured.',
    bench: 'federation',
    row: 'beyond the deadline of 1.5 s, where a Broker is stopped (SIGSTOP)',
  },
  'figure.registry-registrations': {
    feature: 'Registrations in a second are measured beside puts of a Gatherer.',
    bench: 'registry',
    table: 'A Registry with 10,000 servers',
    row: 'registrations, each of a new server with a key of its own',
  },
  'figure.registry-look-up': {
    feature: 'The look-up of one of 10,000 servers is measured beside that of an object of a Gatherer.',
    bench: 'registry',
    table: 'A Registry with 10,000 servers',
    row: 'look-up of a server by its id, p95',
  },
  'figure.registry-memory': {
    feature: 'The memory of a Registry with 10,000 servers is measured beside that of a Gatherer.',
    bench: 'registry',
    table: 'A Registry with 10,000 servers',
    row: 'memory of the Registry, heap and buffers',
  },
  'figure.registry-killed': {
    feature: 'Requests that fail while one of three Registries is killed are counted.',
    bench: 'registry',
    table: 'Three Registries with the same servers',
    row: 'one of three killed under load: failed requests through the client',
  },
  'figure.registry-deletion': {
    feature: 'The time until one deletion holds in a mesh of eight Brokers is measured.',
    bench: 'registry',
    table: 'One deletion in a mesh of eight Brokers',
    row: 'until it is gone from all of them for good: signed',
  },
};
