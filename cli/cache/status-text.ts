import type {
  CacheReport,
  ListedObject,
  Neighbour,
  ReportedAnswers,
  ReportedOrigin,
  ReportedTrouble,
} from '../../cache/index.ts';
import { count, number, size } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

const shownObjects = 5;

const percent = (ratio: number) => `${(100 * ratio).toFixed(1)} %`;

function answerLines(answers: ReportedAnswers): readonly string[] {
  const { requests, hitRatio, byteHitRatio, bytes, outcomes, latency, since, refused, tunnels } = answers;
  const turnedAway = Object.entries(refused).map(([code, times]) => `${code} ${number(times)}`);
  const shown = Object.entries({ ...outcomes, 'broke off': answers.brokenOff, ...answers.errors })
    .filter(([, times]) => times > 0)
    .map(([outcome, times]) => `${outcome} ${number(times)}`);
  const within = (one: typeof latency.others) =>
    one === null ? undefined : `50 % within ${one.p50} ms, 99 % within ${one.p99} ms`;
  const [own, other] = [within(latency.fromHere), within(latency.others)];
  return [
    `  answers   ${count(requests, 'request')} since ${new Date(since * 1000).toISOString()}, ${size(bytes)}`,
    ...(hitRatio === null
      ? []
      : [
          `  from here ${percent(hitRatio)} of answers${byteHitRatio === null ? '' : `, ${percent(byteHitRatio)} of bytes`}`,
        ]),
    ...(shown.length === 0 ? [] : [`  outcomes  ${shown.join(', ')}`]),
    ...(turnedAway.length === 0 ? [] : [`  refused   ${turnedAway.join(', ')}, at the door`]),
    ...(tunnels.opened === 0
      ? []
      : [`  tunnels   ${number(tunnels.opened)} opened, ${number(tunnels.open)} open`]),
    ...(own === undefined ? [] : [`  time      from here ${own}`]),
    ...(other === undefined ? [] : [`  time      others ${other}`]),
  ];
}

function neighbourLine(one: Neighbour): string {
  const { role, name, state, asked, hits, fetched, failed, digestEntries } = one;
  const parts = [
    state,
    ...(asked === 0 ? [] : [`queried ${number(asked)}, hits ${number(hits)}`]),
    `fetched ${number(fetched)}`,
    ...(failed === 0 ? [] : [`failed ${number(failed)}`]),
    ...(digestEntries === undefined ? [] : [`digest of ${count(digestEntries, 'entry', 'entries')}`]),
  ];
  return `  ${role.padEnd(9)} ${terminalSafe(name)}: ${parts.join(', ')}`;
}

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

/** The trouble with the disk, and its cure. */
export function troubleLine({ state, reason, what, cure, since }: ReportedTrouble): string {
  const why = `${terminalSafe(what)}${what === reason ? '' : ` (${terminalSafe(reason)})`}`;
  const sentence =
    state === 'short'
      ? `since ${at(since)} ${why}: new responses replace old ones`
      : `new responses are not stored since ${at(since)}: ${why}; stored responses are still served`;
  return `  trouble   ${sentence}\n            ${terminalSafe(cure)}`;
}

const objectLine = (what: string, { url, bytes, hits }: ListedObject) =>
  `  ${what.padEnd(9)} ${terminalSafe(url)}: ${size(bytes)}, ${count(hits, 'hit')}`;

const originWords = ({ host, url }: ReportedOrigin) =>
  terminalSafe(host === null ? url : `${url} for ${host}`);

export function statusText(report: CacheReport): string {
  const { name, origins, proxy, addresses, answers, store, hottest, largest, neighbours, children } = report;
  const only = origins.length === 1 ? origins.map(originWords)[0] : undefined;
  const roles = [
    ...(origins.length === 0 ? [] : [`accelerator of ${only ?? count(origins.length, 'origin')}`]),
    ...(proxy ? ['proxy'] : []),
  ];
  const used = (bytes: number, budget: number) =>
    budget === 0 ? size(bytes) : `${size(bytes)} of ${size(budget)}`;
  return [
    `  name      ${terminalSafe(name)}${roles.length === 0 ? '' : ` (${roles.join(', ')})`}`,
    ...(only === undefined ? origins.map((one) => `  before    ${originWords(one)}`) : []),
    ...addresses.map((address) => `  serves    ${terminalSafe(address)}`),
    `  has       ${count(store.entries, 'response')}, ${size(store.contentBytes)}; disk ${used(store.diskBytes, store.diskBudgetBytes)}, memory ${used(store.memoryBytes, store.memoryBudgetBytes)}`,
    ...(store.trouble === null ? [] : [troubleLine(store.trouble)]),
    ...(store.evicted + store.damaged + store.refused === 0
      ? []
      : [
          `  left      ${number(store.evicted)} evicted, ${number(store.damaged)} damaged, ${number(store.refused)} not admitted`,
        ]),
    ...(answers === null ? ['  answers   not served now'] : answerLines(answers)),
    ...neighbours.map(neighbourLine),
    ...children.map(
      ({ name, address, requests, fromHere }) =>
        `  child     ${terminalSafe(name === null ? address : `${name} (${address})`)}: ${count(requests, 'request')}, ${number(fromHere)} from here`,
    ),
    ...hottest
      .filter(({ hits }) => hits > 0)
      .slice(0, shownObjects)
      .map((one) => objectLine('hottest', one)),
    ...largest.slice(0, shownObjects).map((one) => objectLine('largest', one)),
  ].join('\n');
}
