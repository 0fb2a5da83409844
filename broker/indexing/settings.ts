/** Max objects in one batch for the engine. */
export const indexBatchObjects = 10_000;

/** Max summary bytes in one batch for the engine (a single object may be larger). */
export const indexBatchBytes = 32 * 1024 * 1024;
