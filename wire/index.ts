// How two servers communicate: a session is one WebSocket between two servers that have proven their keys to each
// other. On it any number of channels carry messages, each a record with a type, in order and with back pressure.
// Frames are compressed in one shared context per direction, checksummed and bounded. The folders above define the
// meaning of the messages. Read session.ts, then channel.ts; frame.ts defines the bytes.
export { bearerTokens } from './bearer-tokens.ts';
export type { Channel, SendOptions } from './channel.ts';
export { type ConnectOptions, connect } from './connect.ts';
export { wireErrors } from './errors.ts';
export { channelFault } from './events.ts';
export type { Peer, Self } from './hello.ts';
export { nodeInflater, zlibSyncInflater } from './inflater.ts';
export type { LinkMeasures } from './link-meter.ts';
export type { Message } from './message.ts';
export type { ChannelHandler, Session } from './session.ts';
export type { WireLimits } from './settings.ts';
export type { Traffic } from './traffic.ts';
export { WireServer } from './wire-server.ts';
