import type { Fetch } from '../../fetch/index.ts';
import type { Clock, Random } from '../../kernel/index.ts';
import type { DataFolder } from '../../store/index.ts';
import type { WireLimits } from '../../wire/index.ts';
import type { SourceAddress } from '../collecting/index.ts';
import type { SearchEngine } from '../engines/index.ts';
import type { ResultTemplates, Synonyms } from '../searching/index.ts';

export interface BrokerOptions {
  readonly folder: DataFolder;
  readonly engine: SearchEngine;
  readonly name: string;
  readonly sources: readonly SourceAddress[];
  readonly clock: Clock;
  readonly random: Random;
  readonly intervalSeconds: number;
  /** Longest silence of a source in the middle of a round; 0, and when absent, is no limit. */
  readonly silenceSeconds?: number;
  readonly graceSeconds: number;
  readonly snippetLength: number;
  readonly deleteGuard: number;
  /** Shown to a source that has none of its own. */
  readonly token?: string;
  /** Insist on this scheme with every source. */
  readonly scheme?: string;
  readonly tombstoneSeconds?: number;
  /** For objects that name no Time-to-Live. */
  readonly timeToLiveSeconds?: number;
  /** How often expired objects and old tombstones are looked for. */
  readonly cleaningSeconds?: number;
  /** Least level of the lines that are kept for administration, and the events kept; all when there are none. */
  readonly logLevel?: string;
  readonly logEvents?: readonly string[];
  /** Where the settings have what a key stands for, such as `garner.yaml:3`. */
  readonly settingFrom?: (key: string) => string;
  readonly synonyms?: Synonyms;
  /** Count searches. */
  readonly countsSearches?: boolean;
  /** Readers may have links checked; needs `fetch`. */
  readonly checksLinks?: boolean;
  /** Readers may look at documents as tables; needs `fetch`. */
  readonly showsTables?: boolean;
  /** Which attributes hits show. */
  readonly templates?: ResultTemplates;
  /** How links are checked and tables are read; neither is done when absent. */
  readonly fetch?: Fetch;
  /** Sends webhooks; none are sent without. */
  readonly webhookFetch?: Fetch;
  /** Throws where webhooks are not sent to an address, as far as its text tells. */
  readonly webhookCheck?: (url: URL) => void;
  /** Bounds of the sessions with its sources. */
  readonly wire?: Partial<WireLimits>;
}
