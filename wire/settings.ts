import type { Setting } from '../kernel/index.ts';
import { defaultLimits, type WireLimits, wireLimits } from './limits.ts';

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
