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

/**
 * Credit a frame costs beside its bytes, so that many tiny messages cannot fill memory with their overhead.
 * Both sides count it; a frame with no data (a bare end) costs nothing.
 */
export const frameCostBytes = 64;

/** Credit that a data frame of `length` decoded bytes costs. */
export function frameCost(length: number): number {
  return length === 0 ? 0 : length + frameCostBytes;
}

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
