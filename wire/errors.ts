import { defineErrors } from '../kernel/index.ts';

const faultyPeer = { exit: 1, retry: 'never', status: 502 } as const;
const cutOff = { exit: 12, retry: 'later', status: 502 } as const;
const late = { exit: 12, retry: 'later', status: 504 } as const;
const full = { exit: 12, retry: 'later', status: 503 } as const;
const local = { exit: 1, retry: 'never' } as const;

/** Faults between two servers. `where` names the peer as an address or a URL. */
export const wireErrors = defineErrors({
  WIRE_URL: {
    message: ({ url }: { url: string }) => `${url} is not a ws:, wss:, http: or https: address.`,
    hint: () => 'Write it as ws://HOST:PORT or wss://HOST.',
    exit: 2,
    retry: 'never',
  },
  WIRE_UNREACHABLE: {
    message: ({ where, reason }: { where: string; reason: string }) =>
      `${where} cannot be reached: ${reason}.`,
    hint: () => 'Check that the server runs and that address and port are right.',
    ...cutOff,
  },
  WIRE_UNTRUSTED: {
    message: ({ where, reason }: { where: string; reason: string; isUnknown: boolean }) =>
      `${where} has a certificate that is not trusted: ${reason}.`,
    hint: ({ isUnknown }: { where: string; reason: string; isUnknown: boolean }) =>
      isUnknown
        ? 'If the authority is your own, name the file of its certificate as ca of the source in broker.source-access, or set NODE_EXTRA_CA_CERTS=FILE.'
        : 'Use an address that the certificate names, or renew the certificate of that server.',
    ...cutOff,
  },
  WIRE_REFUSED: {
    message: ({ where, status }: { where: string; status: number }) =>
      `${where} refused the session (HTTP ${status}).`,
    hint: () => 'Give the token that the server expects.',
    ...faultyPeer,
  },
  WIRE_BUSY: {
    message: ({ where }: { where: string }) => `${where} has reached its limit of sessions.`,
    hint: () => 'Try again later, or raise wire.max-sessions there.',
    ...full,
  },
  WIRE_NOT_SPOKEN: {
    message: ({ where, reason }: { where: string; reason: string }) =>
      `${where} does not speak garner.1: ${reason}.`,
    hint: () => 'Check that the address is a Garner server of this version, and its path.',
    exit: 12,
    retry: 'never',
    status: 502,
  },
  WIRE_HANDSHAKE: {
    message: ({ where, reason }: { where: string; reason: string }) =>
      `The handshake with ${where} failed: ${reason}.`,
    hint: () => 'The peer is broken or does not hold the key it claims; try again and look at its log.',
    ...faultyPeer,
  },
  WIRE_TIMEOUT: {
    message: ({ where, seconds }: { where: string; seconds: number }) =>
      `${where} did not finish the handshake within ${seconds} s.`,
    hint: () => 'The peer is overloaded or is not a Garner server; try again later.',
    ...late,
  },
  WIRE_FRAME: {
    message: ({ reason }: { reason: string }) => `The peer sent a broken frame: ${reason}.`,
    hint: () => 'The peer is broken or of another version; the session was closed.',
    exit: 1,
    retry: 'later',
    status: 502,
  },
  WIRE_CHECKSUM: {
    message: ({ channel }: { channel: number }) =>
      `A frame on channel ${channel} does not match its checksum.`,
    hint: () => 'The data was damaged on the way; connect again.',
    exit: 1,
    retry: 'now',
    status: 502,
  },
  WIRE_TOO_LARGE: {
    message: ({ what, limit }: { what: string; limit: number }) => `${what} is larger than ${limit} bytes.`,
    hint: () => 'Send smaller messages, or raise wire.max-frame or wire.max-message on the receiving side.',
    ...faultyPeer,
  },
  WIRE_CREDIT: {
    message: ({ channel, reason }: { channel: number; reason: string }) =>
      `The peer broke the flow control of channel ${channel}: ${reason}.`,
    hint: () => 'The peer is broken; the session was closed.',
    ...faultyPeer,
  },
  WIRE_CHANNEL: {
    message: ({ channel, reason }: { channel: number; reason: string }) => `Channel ${channel}: ${reason}.`,
    hint: () => 'The peer is broken; the session was closed.',
    ...faultyPeer,
  },
  WIRE_MESSAGE: {
    message: ({ reason }: { reason: string }) => `The peer sent a message that cannot be read: ${reason}.`,
    hint: () => 'The peer is broken or of another version; the session was closed.',
    ...faultyPeer,
  },
  WIRE_LOST: {
    message: ({ where, reason }: { where: string; reason: string }) =>
      `The connection to ${where} broke: ${reason}.`,
    hint: () => 'Connect again; received data stays valid.',
    ...cutOff,
  },
  WIRE_SILENT: {
    message: ({ where, seconds }: { where: string; seconds: number }) =>
      `${where} sent nothing for ${seconds} s, not even answers to pings.`,
    hint: () => 'Connect again later.',
    ...late,
  },
  WIRE_STALLED: {
    message: ({ where }: { where: string }) => `${where} does not read the answers to its requests.`,
    hint: () => 'The peer is broken or overloaded; the session was closed.',
    ...cutOff,
  },
  WIRE_CLOSED: {
    message: ({ where }: { where: string }) => `The session with ${where} is closed.`,
    hint: () => 'Connect again.',
    ...full,
  },
  WIRE_REMOTE: {
    message: ({ code, message }: { code: string; message: string }) => `The peer reports ${code}: ${message}`,
    hint: () => 'Look at the peer: the cause is there.',
    exit: 1,
    retry: 'later',
    status: 502,
  },
  WIRE_CANCELLED: {
    message: () => 'The channel was abandoned.',
    hint: () => 'You need not do anything: the other side no longer wants the answer.',
    ...local,
  },
  WIRE_DONE: {
    message: () => 'The answer is complete and no more is read from the channel.',
    hint: () => 'Stop sending on a channel whose answer has ended.',
    ...local,
  },
  WIRE_UNSERVED: {
    message: () => 'This side serves nothing on this session.',
    hint: () => 'Only the other side of the session answers requests.',
    exit: 1,
    retry: 'never',
    status: 501,
  },
  WIRE_OVERLOADED: {
    message: ({ running }: { running: number }) => `${running} requests of this session are still running.`,
    hint: () => 'Wait for answers before you send more requests.',
    exit: 1,
    retry: 'later',
    status: 503,
  },
});
