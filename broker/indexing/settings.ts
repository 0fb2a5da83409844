/** Objects given to the engine in one batch, at the most. */
export const indexBatchObjects = 10_000;

/** Summary bytes given to the engine in one batch, at the most (one object may be larger). */
export const indexBatchBytes = 32 * 1024 * 1024;
