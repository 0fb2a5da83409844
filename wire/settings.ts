import type { Setting } from '../kernel/index.ts';

/** Every limit of a session. Sizes are in bytes of decoded data, durations in seconds. */
export interface WireLimits {
  /** Initial credit of a channel's sender; at least 1,024. */
  readonly windowBytes: number;
  readonly maxFrameBytes: number;
  /** Max size of a message, all its frames together. */
  readonly maxMessageBytes: number;
  /** Max channels that each side may have open. */
  readonly maxChannels: number;
  /** Max messages above half a window that one session assembles or holds unread. */
  readonly maxLargeMessages: number;
  /** Bytes in the socket's buffer above which senders wait. */
  readonly sendBufferBytes: number;
  /** Deflate level, 1 to 9. */
  readonly level: number;
  /** From the connection's start to the peer's proof. */
  readonly handshakeSeconds: number;
  /** Between pings. */
  readonly keepAliveSeconds: number;
  /** A peer that sends nothing for so long, pongs included, is dead. */
  readonly silentSeconds: number;
  /** How long a closing session waits for the peer's close. */
  readonly closeSeconds: number;
}

/** Limits that suit a server on the Internet: at most about 80 MiB of unread input for one session. */
export const defaultLimits: WireLimits = {
  windowBytes: 256 * 1024,
  maxFrameBytes: 256 * 1024,
  maxMessageBytes: 16 * 1024 * 1024,
  maxChannels: 64,
  maxLargeMessages: 4,
  sendBufferBytes: 256 * 1024,
  level: 4,
  handshakeSeconds: 10,
  keepAliveSeconds: 30,
  silentSeconds: 90,
  closeSeconds: 5,
};

/** The min window: half of it must hold one frame's fixed cost and some data. */
export const minWindowBytes = 1024;

/** Complete and check limits. Throws TypeError for an impossible value. */
export function wireLimits(given: Partial<WireLimits> = {}): WireLimits {
  const limits = { ...defaultLimits, ...given };
  for (const [name, value] of Object.entries(limits))
    if (!(Number.isFinite(value) && value > 0)) throw new TypeError(`wire limit ${name}: ${value}`);
  for (const name of ['windowBytes', 'maxFrameBytes', 'maxMessageBytes'] as const)
    if (!(limits[name] >= minWindowBytes && limits[name] < 2 ** 31))
      throw new TypeError(`wire limit ${name} must be ${minWindowBytes} bytes to 2 GiB: ${limits[name]}`);
  return limits;
}

/** The operator's settings for sessions, as server and as client. */
export const wireSettings: readonly Setting[] = [
  {
    key: 'wire.token',
    kind: 'text',
    default: '',
    secret: true,
    describe: 'Token sent to servers that require one to open a session.',
  },
  {
    key: 'wire.tokens',
    kind: 'list',
    default: [],
    secret: true,
    entry: 'a text that nobody can guess',
    example: '[a-long-secret-of-your-own]',
    describe: 'Tokens, one of which a caller must send to open a session; anyone may when the list is empty.',
  },
  {
    key: 'wire.origins',
    kind: 'list',
    default: [],
    entry: 'a scheme and a host, with a port where it has one',
    example: '[https://search.example.org]',
    describe: 'Web origins, in addition to its own, whose pages may open a session from a browser.',
  },
  {
    key: 'wire.max-sessions',
    kind: 'count',
    default: 256,
    min: 1,
    describe: 'Max sessions that a server has open at once.',
  },
  {
    key: 'wire.window',
    kind: 'size',
    default: defaultLimits.windowBytes,
    describe: 'Max unread data that a peer may send ahead on one channel.',
  },
  {
    key: 'wire.max-frame',
    kind: 'size',
    default: defaultLimits.maxFrameBytes,
    describe: 'Max size of an accepted frame, after decompression.',
  },
  {
    key: 'wire.max-message',
    kind: 'size',
    default: defaultLimits.maxMessageBytes,
    describe: 'Max size of an accepted message, all its frames together.',
  },
  {
    key: 'wire.max-channels',
    kind: 'count',
    default: defaultLimits.maxChannels,
    min: 1,
    describe: 'Max channels that a peer may have open at once in one session.',
  },
  {
    key: 'wire.level',
    kind: 'count',
    default: defaultLimits.level,
    min: 1,
    max: 9,
    describe: 'Deflate level of sent data: 1 is fastest, 9 is smallest.',
  },
  {
    key: 'wire.handshake',
    kind: 'duration',
    default: defaultLimits.handshakeSeconds,
    describe: 'Max time of a new session until both sides have proven their identity.',
  },
  {
    key: 'wire.keep-alive',
    kind: 'duration',
    default: defaultLimits.keepAliveSeconds,
    describe: 'Time between the pings of a session; a peer silent for three of them is dropped.',
  },
];

/** The limits of the values of `wireSettings`; absent keys take their defaults. */
export function limitsFromSettings(values: Readonly<Record<string, unknown>>): WireLimits {
  const value = (key: string, fallback: number) => {
    const given = values[`wire.${key}`];
    return typeof given === 'number' ? given : fallback;
  };
  const keepAliveSeconds = value('keep-alive', defaultLimits.keepAliveSeconds);
  return wireLimits({
    windowBytes: value('window', defaultLimits.windowBytes),
    maxFrameBytes: value('max-frame', defaultLimits.maxFrameBytes),
    maxMessageBytes: value('max-message', defaultLimits.maxMessageBytes),
    maxChannels: value('max-channels', defaultLimits.maxChannels),
    level: value('level', defaultLimits.level),
    handshakeSeconds: value('handshake', defaultLimits.handshakeSeconds),
    keepAliveSeconds,
    silentSeconds: 3 * keepAliveSeconds,
  });
}
