import type { Area } from './feature.ts';

export const wire: Area = {
  'wire.session': {
    feature: 'Two servers hold one WebSocket session in which both prove their keys.',
    test: 'a request and its answer cross on a proven session (node:zlib)',
  },
  'wire.abort': {
    feature: 'Giving up one channel leaves the rest of the session open.',
    test: 'an abandoned channel is reported to the other side, and the session goes on (node:zlib)',
  },
  'wire.flow-control': {
    feature: 'A reader that stalls stops its sender after one window, and other channels go on.',
    test: 'a reader that stalls stops its sender after one window, others go on (node:zlib)',
  },
  'wire.checksum': {
    feature: 'Each flipped bit of a frame is noticed.',
    test: 'any flipped bit of a frame is detected by shape or checksum',
  },
  'wire.compression': {
    feature:
      'Frames share one compression context, so that the second of two similar messages takes a tenth of the first.',
    test: 'the second of two like payloads costs a tenth of the first',
  },
  'wire.bounds': {
    feature: 'Frames and messages above their bounds end the session.',
    test: 'frames and messages above their bounds are refused (node:zlib)',
  },
  'wire.credit': {
    feature: 'A peer that sends without credit loses its session.',
    test: 'breaking flow control is an error (node:zlib)',
  },
  'wire.max-channels': {
    feature: 'A peer cannot open more channels than allowed.',
    test: 'channels that were never opened, are not the peer’s to open, or are too many (node:zlib)',
  },
  'wire.key-proof': {
    feature: 'A handshake without a live key opens no session.',
    test: 'a handshake without a live key, or without the form of one, opens no session',
  },
  'wire.handshake-time': {
    feature: 'A caller that never says hello is dropped after ten seconds.',
    test: 'a caller that never sends a hello is dropped at its time limit',
  },
  'wire.keep-alive': {
    feature: 'A silent peer is pinged and then given up.',
    test: 'a silent peer is pinged, then dropped; one that answers pings stays',
  },
  'wire.fuzz': {
    feature: 'Thousands of forged frames leave a server running in bounded memory.',
    test: 'thousands of strange frames never harm the server (node:zlib)',
  },
  'wire.token': {
    feature: 'A server asks for a token before it opens a session.',
    test: 'a token is required before the upgrade',
  },
  'wire.origins': {
    feature: 'Only the protocol garner.1 is spoken, and pages of other origins are refused.',
    test: 'only garner.1 is accepted, and no page of another origin',
  },
  'wire.max-sessions': {
    feature: 'A server with as many sessions as allowed answers busy until there is room.',
    test: 'sessions up to the limit, then busy, then room again',
  },
  'wire.typed-errors': {
    feature: 'An unreachable address, a server that is no Garner and a silent server have different errors.',
    test: 'a server that cannot be reached, is not Garner or is silent has its own error',
  },
  'wire.link-meter': {
    feature: 'A session measures the bandwidth of its link.',
    test: 'a burst is timed by a ping behind it, the round trip taken off; small answers send none',
  },
  'wire.stalled-memory': {
    feature: 'A client that stops reading leaves the memory of a serving Gatherer flat.',
    test: 'a reader that stalls does not increase the memory of the sender',
  },
  'wire.bomb-process': {
    feature: 'A serving Gatherer refuses a frame of 65 KB that would inflate to 64 MiB, in bounded memory.',
    test: 'a 65 KB frame that would inflate to 64 MiB is refused within its declared size',
  },
  'wire.round-bytes': {
    feature:
      'An unchanged round takes fewer than 200 bytes both ways, whether a source has 100 or 100,000 objects.',
    test: 'an unchanged round costs under 200 bytes both ways, the same for 100 and for 100,000 objects',
  },
  'wire.read-once': {
    feature: 'Ten Brokers collect from one Gatherer, and the provider is read once.',
    test: 'ten Brokers collect from one Gatherer and the provider is read once',
  },
  'wire.resume': {
    feature: 'A collection that is cut at any point goes on where it stopped.',
    test: 'a collection that is cut at any point resumes where it stopped',
  },
};
