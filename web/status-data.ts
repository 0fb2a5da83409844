import { type BrokerStatus, type KnownSource, readBrokerStatus } from './client/answers.ts';
import { shown } from './client/remote-text.ts';

/** One round with a source: what it took and what came of it. Times are seconds since 1970. */
export interface ShownRound {
  readonly at: number;
  readonly schemes: readonly string[];
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly ms: number;
  readonly learned: number;
  readonly forgotten: number;
}

/** What a scheme took when it last ran alone, and what was predicted. */
export interface ShownMeasure {
  readonly scheme: string;
  readonly at: number;
  readonly bytes: number;
  readonly predictedBytes: number;
}

export interface SourceDetails extends KnownSource {
  /** What is wanted of the source, in words; empty for everything. */
  readonly wanted: string;
  /** Oldest first. */
  readonly rounds: readonly ShownRound[];
  readonly measures: readonly ShownMeasure[];
}

/** What the status page shows of `GET /status`. */
export interface StatusDetails extends Omit<BrokerStatus, 'sources'> {
  readonly summaryBytes: number;
  readonly indexed: number;
  readonly sources: readonly SourceDetails[];
}

const maxRounds = 50;
const maxSchemes = 40;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const amount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
const word = (value: unknown) => (typeof value === 'string' ? shown(value, 60) : '');
const list = (value: unknown, max: number): readonly Fields[] =>
  Array.isArray(value) ? value.slice(-max).map(fieldsOf) : [];

function round(fields: Fields): ShownRound {
  const { at, schemes, bytesUp, bytesDown, ms, learned, forgotten } = fields;
  return {
    at: amount(at),
    schemes: Array.isArray(schemes) ? schemes.slice(0, 6).map(word).filter(Boolean) : [],
    ...{ bytesUp: amount(bytesUp), bytesDown: amount(bytesDown), ms: amount(ms) },
    ...{ learned: amount(learned), forgotten: amount(forgotten) },
  };
}

function measure({ scheme, at, bytesUp, bytesDown, predicted }: Fields): ShownMeasure {
  const { bytesUp: up, bytesDown: down } = fieldsOf(predicted);
  const bytes = amount(bytesUp) + amount(bytesDown);
  return { scheme: word(scheme), at: amount(at), bytes, predictedBytes: amount(up) + amount(down) };
}

function wantedWords(filter: unknown): string {
  const { query, age } = fieldsOf(filter);
  const { attribute, seconds } = fieldsOf(age);
  const days = amount(seconds) / 86_400;
  const span = days >= 2 ? `${Math.floor(days)} days` : `${Math.floor(amount(seconds) / 3600)} hours`;
  const parts = [
    typeof query === 'string' ? shown(query, 200) : '',
    age === undefined ? '' : `${word(attribute)} at most ${span} ago`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Read what `GET /status` answered; undefined when it is no such answer. */
export function readStatusDetails(json: unknown): StatusDetails | undefined {
  const status = readBrokerStatus(json);
  if (status === undefined) return undefined;
  const fields = fieldsOf(json);
  const details = list(fields.sources, 200);
  return {
    ...status,
    summaryBytes: amount(fields.summaryBytes),
    indexed: amount(fieldsOf(fields.engine).objects),
    sources: status.sources.map((source) => {
      const own = details.find(({ id }) => id === source.id) ?? {};
      return {
        ...source,
        wanted: wantedWords(own.filter),
        rounds: list(own.rounds, maxRounds).map(round),
        measures: list(own.schemes, maxSchemes)
          .map(measure)
          .filter(({ scheme }) => scheme !== ''),
      };
    }),
  };
}
