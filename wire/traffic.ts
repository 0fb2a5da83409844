/** The bytes and frames that a session has moved so far, read live. All in bytes unless named otherwise. */
export interface Traffic {
  /** HTTP upgrade, hello and proof, as sent. */
  readonly handshakeSent: number;
  readonly handshakeReceived: number;
  /** Everything after the handshake with WebSocket framing and masks; TCP and TLS are not counted. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Frames of garner.1, control frames included. */
  readonly sentFrames: number;
  readonly receivedFrames: number;
  /** The same frames' payloads before compression. */
  readonly sentDecodedBytes: number;
  readonly receivedDecodedBytes: number;
}

/** Running totals that writer and reader update. */
export class FrameCounter {
  frames = 0;
  decodedBytes = 0;

  add(decodedBytes: number): void {
    this.frames += 1;
    this.decodedBytes += decodedBytes;
  }
}

/** Bytes on the line of one WebSocket message of `length` bytes sent in one piece (RFC 6455, 5.2). */
export function webSocketSize(length: number, masked: boolean): number {
  return 2 + (length < 126 ? 0 : length < 65_536 ? 2 : 8) + (masked ? 4 : 0) + length;
}
