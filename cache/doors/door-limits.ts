/** What a door allows its clients. Times in milliseconds, sizes in bytes. */
export interface DoorLimits {
  readonly maxHeadBytes: number;
  /** Lines of fields in one request. */
  readonly maxFields: number;
  /** Content of one request. */
  readonly maxUploadBytes: number;
  /** Until the head of a request must be whole. */
  readonly headTimeoutMs: number;
  /** How long a client may neither take what is sent to it nor send what is waited for. */
  readonly stallMs: number;
  /** How long a connection is kept for a next request. */
  readonly keepAliveMs: number;
  readonly maxConnections: number;
  /** Requests answered at once; further ones get 503. */
  readonly maxRequests: number;
  /** Connections and tunnels of one address; further ones are closed. */
  readonly clientConnections: number;
  /** Requests of one address answered at once; further ones get 429. */
  readonly clientRequests: number;
  /** How long answers under way may go on when the door closes. */
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
