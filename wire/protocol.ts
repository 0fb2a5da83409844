import { maxHeaderBytes } from './frame.ts';
import type { WireLimits } from './settings.ts';

/** The WebSocket sub-protocol. */
export const subProtocol = 'garner.1';

/** Options that both ends give the WebSocket library. */
export function webSocketOptions(limits: WireLimits) {
  return {
    // Frames are compressed here, where their decoded size is bounded.
    perMessageDeflate: false,
    // A frame that deflate could not make smaller, with its header.
    maxPayload: limits.maxFrameBytes + Math.ceil(limits.maxFrameBytes / 1000) + maxHeaderBytes + 1024,
    closeTimeout: limits.closeSeconds * 1000,
  };
}
