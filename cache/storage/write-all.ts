import { writev } from 'node:fs';

/** Buffers given to the system at once; IOV_MAX is 1024. */
const mostAtOnce = 512;

function writeSome(descriptor: number, buffers: readonly Uint8Array[], offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(descriptor, [...buffers], offset, (error, written) => {
      if (error === null) resolve(written);
      else reject(error);
    });
  });
}

/** Write buffers one behind the other from byte `offset` of a file on, however few the system takes at a time. */
export async function writeAll(
  descriptor: number,
  buffers: readonly Uint8Array[],
  offset: number,
): Promise<void> {
  let at = offset;
  let left = buffers.filter((buffer) => buffer.length > 0);
  while (left.length > 0) {
    let written = await writeSome(descriptor, left.slice(0, mostAtOnce), at);
    at += written;
    let whole = 0;
    while (whole < left.length && written >= (left[whole] as Uint8Array).length) {
      written -= (left[whole] as Uint8Array).length;
      whole++;
    }
    left = left.slice(whole);
    const first = left[0];
    if (first !== undefined && written > 0) left[0] = first.subarray(written);
  }
}
