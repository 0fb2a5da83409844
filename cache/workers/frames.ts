/** A unit on the connections between a cache's processes: a kind, and bytes. */
export interface Frame {
  readonly kind: number;
  readonly payload: Buffer;
}

const headLength = 5;
/** Enough for a content with its message, which the max size of a head bounds. */
const maxBytes = 8 * 1024 * 1024;

/** The first bytes of a frame with a payload of `length` bytes: its length (32 bits), its kind (8 bits). */
export function frameHead(kind: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(headLength);
  head.writeUInt32BE(length, 0);
  head[4] = kind;
  return head;
}

/** Reassembles frames from received chunks. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes that are needed before the next step. */
  #wanted = headLength;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** Process a received chunk. False when it cannot be a frame: nothing more is read then. */
  push(piece: Buffer): boolean {
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held < this.#wanted) return true;
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    let at = 0;
    this.#wanted = headLength;
    while (bytes.length - at >= headLength) {
      const length = bytes.readUInt32BE(at);
      if (length > maxBytes) return false;
      const end = at + headLength + length;
      if (end > bytes.length) {
        this.#wanted = headLength + length;
        break;
      }
      this.#onFrame({ kind: bytes[at + 4] as number, payload: bytes.subarray(at + headLength, end) });
      at = end;
    }
    const rest = bytes.subarray(at);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    return true;
  }
}
