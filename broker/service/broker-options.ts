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
  /** For objects without a Time-to-Live. */
  readonly timeToLiveSeconds?: number;
  /** How often expired objects and old tombstones are removed. */
  readonly cleaningSeconds?: number;
  /** Min level of the log lines stored for administration, and their events; all when empty. */
  readonly logLevel?: string;
  readonly logEvents?: readonly string[];
  /** The place of a key in the settings, for example `garner.yaml:3`. */
  readonly settingFrom?: (key: string) => string;
  readonly synonyms?: Synonyms;
  /** Count searches. */
  readonly countsSearches?: boolean;
  /** Readers may have links checked. Needs `fetch`. */
  readonly checksLinks?: boolean;
  /** Readers may view documents as tables. Needs `fetch`. */
  readonly showsTables?: boolean;
  /** The attributes that hits show. */
  readonly templates?: ResultTemplates;
  /** Fetches for link checks and tables. Without it, neither is done. */
  readonly fetch?: Fetch;
  /** Sends webhooks. Without it, none are sent. */
  readonly webhookFetch?: Fetch;
  /** Throws for an address to which webhooks are not sent, as far as its text shows. */
  readonly webhookCheck?: (url: URL) => void;
  readonly wire?: Partial<WireLimits>;
}
