// The export `garner/wire`: sessions with Gatherers and Brokers over garner.1, and collecting their objects over one.
export {
  type CollectOptions,
  collect,
  type FilterSpec,
  type Keyring,
  MemoryKeyring,
  probeState,
  type Resume,
  type RoundReport,
  watchHints,
} from '../exchange/index.ts';
export {
  type Clock,
  GarnerError,
  isGarnerError,
  type Random,
  type Retry,
  systemClock,
  systemRandom,
} from '../kernel/index.ts';
export {
  type Channel,
  type ChannelHandler,
  type ConnectOptions,
  connect,
  type LinkMeasures,
  type Message,
  type Peer,
  type Self,
  type SendOptions,
  type Session,
  type Traffic,
  type WireLimits,
} from '../wire/index.ts';
