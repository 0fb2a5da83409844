import type { ExplainedEntry, ExplainedRule, Explanation } from '../../cache/index.ts';
import { number, size } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';
import { troubleLine } from './status-text.ts';

const time = (ms: number) => new Date(ms).toISOString();

/** Gives each advice once: the rules of many requests are the same. */
type Advise = (rule: ExplainedRule) => readonly string[];

function advisor(): Advise {
  const said = new Set<string>();
  return ({ advice }) => {
    if (advice === null || said.has(advice)) return [];
    said.add(advice);
    return [`            to change this: ${advice}`];
  };
}

type Origin = ExplainedEntry['lifetimeFrom'];

const lifetimes: Readonly<Record<Origin, string>> = {
  'cdn-cache-control': 'by CDN-Cache-Control',
  's-maxage': 'by s-maxage',
  'max-age': 'by max-age',
  expires: 'by Expires',
  heuristic: 'guessed by Last-Modified',
  rule: 'by a rule of cache.ttl-rules',
  'rule-min': 'by cache.ttl-rules (min TIME)',
  'rule-max': 'by cache.ttl-rules (max TIME)',
  'max-fresh': 'by cache.max-fresh',
  negative: 'by cache.negative-ttl',
  none: 'without any rule',
};

// The origin of a lifetime that a setting then bounded, where it was not the server.
const others: Readonly<Partial<Record<Origin, string>>> = {
  heuristic: 'the guess by Last-Modified was',
  rule: 'cache.ttl-rules said',
  'rule-min': 'cache.ttl-rules said',
};

const because = ({ sentence, section, name }: ExplainedRule) => `${sentence} [${section}; ${name}]`;

const uses: Readonly<Record<ExplainedEntry['use'], string>> = {
  fresh: 'it answers a request now',
  'stale-while-revalidate': 'it answers a request now and is validated meanwhile',
  'stale-allowed': 'it answers a request now, although stale',
  validate: 'a request now validates it first',
};

const outcomes: Readonly<Record<Explanation['recent'][number]['outcome'], string>> = {
  hit: 'was answered from the store',
  'stale-hit': 'was answered from the store, stale',
  validated: 'was answered from the store after the origin had validated it',
  'stale-on-error': 'was answered from the store because the origin failed',
  collapsed: 'shared the fetch of another request',
  miss: 'was fetched',
  pass: 'was passed on',
  refused: 'was refused',
  failed: 'failed',
};

function lifetimeWords({ lifetimeSeconds, lifetimeFrom, lifetimeOtherwise: other }: ExplainedEntry): string {
  const time = `${lifetimeSeconds} s`;
  const lifetime = `${time} ${lifetimes[lifetimeFrom].replace('TIME', time)}`;
  return other === null
    ? lifetime
    : `${lifetime}; ${others[other.from] ?? 'the server said'} ${other.lifetimeSeconds} s`;
}

function entryLines(one: ExplainedEntry, advise: Advise): readonly string[] {
  const { status, contentBytes, part, selecting, tags, storedAtMs, ageSeconds, lifetimeSeconds } = one;
  const which = part === null ? '' : `, bytes ${part.first} to ${part.last} of ${part.total}`;
  const left = lifetimeSeconds - ageSeconds;
  const state = left > 0 ? `fresh for ${left} s more` : `stale for ${-left} s`;
  const { staleSinceMs, invalidated } = one;
  const chosenBy: string[] = [];
  for (let at = 0; at < selecting.length; at += 2) chosenBy.push(`${selecting[at]}: ${selecting[at + 1]}`);
  return [
    `  stored    a ${status} of ${size(contentBytes)}${which}, received ${time(storedAtMs)}`,
    ...(one.overTls ? ['  for       clients over TLS'] : []),
    ...(chosenBy.length === 0 ? [] : [`  for       ${chosenBy.map(terminalSafe).join(', ')}`]),
    ...(tags.length === 0 ? [] : [`  tags      ${tags.map(terminalSafe).join(' ')}`]),
    `  lifetime  ${lifetimeWords(one)}, age ${ageSeconds} s: ${state}`,
    ...advise(one.lifetimeRule),
    ...(invalidated ? ['  outdated  by a changing request through this cache'] : []),
    ...(staleSinceMs === null ? [] : [`  stale     since a soft purge at ${time(staleSinceMs)}`]),
    one.chosen
      ? `  now       ${uses[one.use]}: ${because(one.rule)}`
      : '  now       not used for such a request',
    ...(one.chosen ? advise(one.rule) : []),
  ];
}

function recentLines(one: Explanation['recent'][number], advise: Advise): readonly string[] {
  const { atMs, method, status, outcome, rule, storedBy, detail, error, overTls, brokenOff } = one;
  const by = detail === null ? '' : ` (${terminalSafe(detail)})`;
  return [
    `  ${time(atMs)} a ${terminalSafe(method)}${overTls ? ' over TLS' : ''} ${outcomes[outcome]}, status ${status}${by}`,
    ...(brokenOff === null
      ? []
      : [
          `            its content broke off after ${number(brokenOff.bytes)}${brokenOff.of === null ? '' : ` of ${number(brokenOff.of)}`} bytes`,
        ]),
    ...(error === null ? [] : [`            ${terminalSafe(error.reason)} (${error.code})`]),
    `            ${because(rule)}`,
    ...advise(rule),
    ...(storedBy === null ? [] : [`            ${because(storedBy)}`, ...advise(storedBy)]),
  ];
}

function purgeLine({ atMs, by, prefix, soft }: NonNullable<Explanation['purged']>): string {
  const how = { url: 'by its URL', prefix: `with ${terminalSafe(prefix ?? '')}`, all: 'with everything' };
  return `  purged    ${soft ? 'softly, ' : ''}${how[by]}, last at ${time(atMs)}`;
}

export function whyText({ url, entries, recent, trouble, purged }: Explanation): string {
  const advise = advisor();
  return [
    `  ${terminalSafe(url)}`,
    ...(trouble === null ? [] : [troubleLine(trouble)]),
    ...(entries.length === 0 ? ['  stored    nothing'] : entries.flatMap((one) => entryLines(one, advise))),
    ...(purged === null ? [] : [purgeLine(purged)]),
    ...(recent.length === 0
      ? [
          `  lately    ${entries.length === 0 ? 'no request for it is remembered' : 'only hits, or no requests'}`,
        ]
      : recent.flatMap((one) => recentLines(one, advise))),
  ].join('\n');
}
