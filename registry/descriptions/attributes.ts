import { Attributes } from '../../soif/index.ts';

/** The kinds of servers that a Registry lists; each is the template type of its descriptions. */
export const serverTypes = [
  'GATHERER',
  'BROKER',
  'CACHE',
  'REPLICATOR',
  'REGISTRY',
  'TRACKER',
  'OAI-REPOSITORY',
] as const;

export type ServerType = (typeof serverTypes)[number];

export const isServerType = (text: string): text is ServerType => serverTypes.some((type) => type === text);

/** The names of the attributes of a description, Harvest's own where it had one. */
export const serverAttributes = {
  name: Attributes.title,
  description: Attributes.description,
  administrator: 'Administrator',
  location: 'Location',
  software: 'Software-Version',
  type: Attributes.type,
  objects: 'Objects',
  bytes: 'Size-in-Bytes',
  types: 'Object-Types',
  languages: 'Languages',
  topic: 'Topic',
  changed: Attributes.lastModificationTime,
  engine: 'Index-Engine',
  backlog: 'Index-Backlog',
  failed: 'Failed-Documents',
  mode: 'Cache-Mode',
  collectsFrom: 'Collects-From',
  roots: 'Roots',
  parents: 'Parents',
  contentSummary: 'Content-Summary',
  contentFingerprint: 'Content-Fingerprint',
  signed: 'Signed',
  gathererName: Attributes.gathererName,
  gathererHost: Attributes.gathererHost,
  gathererPort: 'Gatherer-Port',
  gathererVersion: Attributes.gathererVersion,
  refreshRate: Attributes.refreshRate,
  timeToLive: Attributes.timeToLive,
  updateTime: Attributes.updateTime,
} as const;

/** `lines` is one short text a line, `links` one link a line, `encoded` text for programs. */
export type AttributeKind = 'text' | 'number' | 'lease' | 'lines' | 'links' | 'encoded';

/** One attribute that a type of server has. */
export interface AttributeNote {
  readonly name: string;
  readonly kind: AttributeKind;
  /** One sentence. */
  readonly what: string;
}

export interface AttributeTable {
  readonly mandatory: readonly AttributeNote[];
  readonly recommended: readonly AttributeNote[];
}

const names = serverAttributes;

const note = (name: string, what: string, kind: AttributeKind = 'text'): AttributeNote => ({
  ...{ name, kind, what },
});

const lease = [
  note(names.updateTime, 'The time of the description, in seconds since 1970.', 'number'),
  note(names.refreshRate, 'The server renews its lease after this number of seconds.', 'lease'),
  note(names.timeToLive, 'The Registry removes the server this number of seconds after a renewal.', 'lease'),
];

const named = [note(names.name, 'The name of the server.')];
const versioned = [...named, note(names.software, 'The program and its version.')];

const about = [
  note(names.description, 'One or two sentences on what the server has.'),
  note(names.administrator, 'The person or office responsible for the server.'),
  note(names.location, 'Where the server is: an institution, a city, a country.'),
  note(names.type, 'The type of the server, so that a query can name it.'),
];

const objects = note(names.objects, 'The number of its objects, counted.', 'number');

const collection = [
  objects,
  note(names.bytes, 'The size of its summaries.', 'number'),
  note(names.types, 'The types of its objects, the most frequent first, each with its number.', 'lines'),
  note(names.languages, 'The languages of its objects, the most frequent first.', 'lines'),
  note(names.topic, 'A few telling words of its objects.'),
  note(names.changed, 'The time of the last change of its objects, in seconds since 1970.', 'number'),
  note(names.contentFingerprint, 'A sample of its contents, by which copies are found, encoded.', 'encoded'),
];

const collectsFrom = note(
  names.collectsFrom,
  'The servers that it collects from: state, address and server id, a line each.',
  'links',
);

const backlog = note(names.backlog, 'The number of changes that its index does not have yet.', 'number');

/** The attributes of each type of server besides its URL. Others are allowed, kept, found and shown. */
export const attributeTables: Readonly<Record<ServerType, AttributeTable>> = {
  GATHERER: {
    mandatory: [
      note(names.gathererName, 'The name of the Gatherer.'),
      note(names.gathererHost, 'The host on which others reach it.'),
      note(names.gathererPort, 'The port on which others reach it.', 'number'),
      note(names.gathererVersion, 'The program and its version.'),
      ...lease,
    ],
    recommended: [
      ...[...named, ...about, ...collection],
      note(names.roots, 'The addresses that it gathers: http, https and ftp, a line each.', 'lines'),
      note(names.failed, 'The number of documents that its last run could not read.', 'number'),
    ],
  },
  BROKER: {
    mandatory: [...versioned, ...lease],
    recommended: [
      ...[...about, ...collection],
      note(names.engine, 'The name of its search engine.'),
      ...[backlog, collectsFrom],
      note(names.contentSummary, 'The words of its objects with their frequencies, encoded.', 'encoded'),
    ],
  },
  CACHE: {
    mandatory: [...versioned, ...lease],
    recommended: [
      ...about,
      note(names.objects, 'The number of stored responses.', 'number'),
      note(names.bytes, 'The size of the stored responses.', 'number'),
      note(names.mode, 'Accelerator, proxy, or both.'),
      note(names.parents, 'The caches above it: state and address, a line each.', 'links'),
    ],
  },
  REPLICATOR: {
    mandatory: [
      ...versioned,
      note('Replication-Group', 'The name of the group of replicas that it belongs to.'),
      ...lease,
    ],
    recommended: [
      ...about,
      note('Master-Copy', 'The address of the copy that the others follow.'),
      note(names.objects, 'The number of files.', 'number'),
      note(names.bytes, 'The size of the files.', 'number'),
    ],
  },
  REGISTRY: {
    mandatory: [...versioned, ...lease],
    recommended: [
      ...about,
      note(names.objects, 'The number of registered servers.', 'number'),
      note(names.types, 'The types of the registered servers, each with its number.', 'lines'),
      ...[backlog, collectsFrom],
    ],
  },
  TRACKER: {
    mandatory: [...versioned, ...lease],
    recommended: [
      ...about,
      note(names.objects, 'The number of pages whose versions it stores.', 'number'),
      note(names.bytes, 'The size of the versions.', 'number'),
      note(names.topic, 'A few telling words of its pages.'),
    ],
  },
  'OAI-REPOSITORY': {
    mandatory: [
      ...[...named, note(names.administrator, 'The adminEmail of its Identify answer.')],
      note('Protocol-Version', 'The version of OAI-PMH, such as 2.0.'),
      note('Earliest-Datestamp', 'No record has a datestamp before this one.'),
      note('Deleted-Record', 'How it handles deletions: no, transient or persistent.'),
      note('Granularity', 'The finest datestamp, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.'),
      ...lease,
    ],
    recommended: [
      ...about.filter(({ name }) => name !== names.administrator),
      note(names.software, 'The program and its version.'),
      note(names.objects, 'The number of its records.', 'number'),
      note(names.topic, 'A few telling words of its records.'),
      note('Metadata-Formats', 'The prefixes of its metadata formats, a line each.', 'lines'),
      note('Sets', 'The names of its sets, a line each.', 'lines'),
    ],
  },
};
