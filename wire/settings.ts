import type { Setting } from '../kernel/index.ts';

/** Every bound of a session. Sizes are in bytes of decoded data, durations in seconds. */
export interface WireLimits {
  /** Credit a channel's sender starts with; at least 1,024. */
  readonly windowBytes: number;
  /** Largest decoded frame. */
  readonly maxFrameBytes: number;
  /** Largest message, all its frames together. */
  readonly maxMessageBytes: number;
  /** Channels that each side may have open at once. */
  readonly maxChannels: number;
  /** Messages above half a window that one session assembles or holds unread at once. */
  readonly maxLargeMessages: number;
  /** Bytes handed to the socket and not yet taken by the kernel, above which senders wait. */
  readonly sendBufferBytes: number;
  /** Deflate level, 1 to 9. */
  readonly level: number;
  /** From the connection's start to a proven peer. */
  readonly handshakeSeconds: number;
  /** Between pings. */
  readonly keepAliveSeconds: number;
  /** A peer that sends nothing for so long, pongs included, is dead. */
  readonly silentSeconds: number;
  /** How long a closing session waits for the peer's farewell. */
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

/** Smallest window: half of it must hold one frame's fixed cost and some data. */
export const minWindowBytes = 1024;

/** Complete and check limits. Throws TypeError for a value that cannot work. */
export function wireLimits(given: Partial<WireLimits> = {}): WireLimits {
  const limits = { ...defaultLimits, ...given };
  for (const [name, value] of Object.entries(limits))
    if (!(Number.isFinite(value) && value > 0)) throw new TypeError(`wire limit ${name}: ${value}`);
  for (const name of ['windowBytes', 'maxFrameBytes', 'maxMessageBytes'] as const)
    if (!(limits[name] >= minWindowBytes && limits[name] < 2 ** 31))
      throw new TypeError(`wire limit ${name} must be ${minWindowBytes} bytes to 2 GiB: ${limits[name]}`);
  return limits;
}

/** What an operator may set for sessions, as server and as client. */
export const wireSettings: readonly Setting[] = [
  {
    key: 'wire.token',
    kind: 'text',
    default: '',
    secret: true,
    describe: 'Token shown to servers that ask for one when a session is opened.',
  },
  {
    key: 'wire.tokens',
    kind: 'list',
    default: [],
    secret: true,
    entry: 'a text that nobody can guess',
    example: '[a-long-secret-of-your-own]',
    describe: 'Tokens of which a caller must show one to open a session; anyone may when the list is empty.',
  },
  {
    key: 'wire.origins',
    kind: 'list',
    default: [],
    entry: 'a scheme and a host, with a port where it has one',
    example: '[https://search.example.org]',
    describe: 'Web origins, beside its own, whose pages may open a session from a browser.',
  },
  {
    key: 'wire.max-sessions',
    kind: 'count',
    default: 256,
    min: 1,
    describe: 'Sessions that a server keeps open at once.',
  },
  {
    key: 'wire.window',
    kind: 'size',
    default: defaultLimits.windowBytes,
    describe: 'Unread data that a peer may send ahead on one channel.',
  },
  {
    key: 'wire.max-frame',
    kind: 'size',
    default: defaultLimits.maxFrameBytes,
    describe: 'Largest frame accepted, counted after decompression.',
  },
  {
    key: 'wire.max-message',
    kind: 'size',
    default: defaultLimits.maxMessageBytes,
    describe: 'Largest message accepted, all its frames together.',
  },
  {
    key: 'wire.max-channels',
    kind: 'count',
    default: defaultLimits.maxChannels,
    min: 1,
    describe: 'Channels that a peer may have open at once in one session.',
  },
  {
    key: 'wire.level',
    kind: 'count',
    default: defaultLimits.level,
    min: 1,
    max: 9,
    describe: 'Deflate level of what is sent: 1 is fastest, 9 is smallest.',
  },
  {
    key: 'wire.handshake',
    kind: 'duration',
    default: defaultLimits.handshakeSeconds,
    describe: 'How long a new session may take until both sides have proven who they are.',
  },
  {
    key: 'wire.keep-alive',
    kind: 'duration',
    default: defaultLimits.keepAliveSeconds,
    describe: 'Time between the pings of a session; a peer silent for three of them is given up.',
  },
];

/** The limits that the values of `wireSettings` stand for; absent keys take their defaults. */
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
