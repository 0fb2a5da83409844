import type { Fetch } from '../../fetch/index.ts';
import type { Clock, Random } from '../../kernel/index.ts';
import type { DataFolder } from '../../store/index.ts';
import type { WireLimits } from '../../wire/index.ts';
import type { QuotaLimits, SourceAddress } from '../collecting/index.ts';
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
  /** Max silence of a source in the middle of a round; no limit when 0 or absent. */
  readonly silenceSeconds?: number;
  readonly graceSeconds: number;
  readonly snippetLength: number;
  readonly deleteGuard: number;
  /** Sent to a source that has no token of its own. */
  readonly token?: string;
  /** Force this scheme with every source. */
  readonly scheme?: string;
  readonly tombstoneSeconds?: number;
  /** Time-to-Live for objects that have none of their own. */
  readonly timeToLiveSeconds?: number;
  /** Max time-to-live of an object, whatever its publisher says; no limit when 0 or absent. */
  readonly maxTimeToLiveSeconds?: number;
  /** How much is collected from each source; everything when absent. */
  readonly quotas?: QuotaLimits;
  /** The free bytes of the disk of the data folder; as the system says when absent. */
  readonly freeBytes?: () => Promise<number>;
  /** Time between two removals of expired objects and old tombstones. */
  readonly cleaningSeconds?: number;
  /** Min level of the log lines stored for administration. */
  readonly logLevel?: string;
  /** Events of the stored lines; all when empty. */
  readonly logEvents?: readonly string[];
  /** The place where a key is set, for example `garner.yaml:3`. */
  readonly settingFrom?: (key: string) => string;
  readonly synonyms?: Synonyms;
  /** Whether searches are counted. */
  readonly countsSearches?: boolean;
  /** Whether readers may request a link check. Needs `fetch`. */
  readonly checksLinks?: boolean;
  /** Whether readers may view documents as tables. Needs `fetch`. */
  readonly showsTables?: boolean;
  /** The attributes that results show, by type. */
  readonly templates?: ResultTemplates;
  /** Fetches for link checks and tables. Without it, neither is done. */
  readonly fetch?: Fetch;
  /** Asks the sites of objects for their documents. With it, objects are taken only where their site names their Gatherer. */
  readonly proofFetch?: Fetch;
  /** Sends webhooks. Without it, none are sent. */
  readonly webhookFetch?: Fetch;
  /** Throws when the text of the address shows that no webhook may be sent to it. */
  readonly webhookCheck?: (url: URL) => void;
  readonly wire?: Partial<WireLimits>;
}
