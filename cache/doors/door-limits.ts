/** The limits of a door for its clients. Times in milliseconds, sizes in bytes. */
export interface DoorLimits {
  readonly maxHeadBytes: number;
  /** Field lines in one request. */
  readonly maxFields: number;
  /** Max content of one request. */
  readonly maxUploadBytes: number;
  readonly headTimeoutMs: number;
  /** How long a client may neither read what is sent to it nor send what the cache waits for. */
  readonly stallMs: number;
  /** How long an idle connection is kept for the next request. */
  readonly keepAliveMs: number;
  readonly maxConnections: number;
  /** Max requests in flight; further ones get 503. */
  readonly maxRequests: number;
  /** Max connections and tunnels of one address; further ones are closed. */
  readonly clientConnections: number;
  /** Max requests of one address in flight; further ones get 429. */
  readonly clientRequests: number;
  /** How long answers in flight may continue when the door closes. */
  readonly closeGraceMs: number;
}

export const defaultDoorLimits: DoorLimits = {
  maxHeadBytes: 32 * 1024,
  maxFields: 200,
  maxUploadBytes: 1024 * 1024 * 1024,
  headTimeoutMs: 10_000,
  stallMs: 60_000,
  keepAliveMs: 15_000,
  maxConnections: 8192,
  maxRequests: 4096,
  clientConnections: 2048,
  clientRequests: 2048,
  closeGraceMs: 2_000,
};
