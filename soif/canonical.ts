import { createHash } from 'node:crypto';
import { Attributes, type SummaryObject } from './summary-object.ts';

const label = 'garner summary 1\n';
const updateTime = Attributes.updateTime.toLowerCase();

/**
 * SHA-256 (32 bytes) over an object's canonical bytes: a label, then template type, URL and each attribute's
 * name (lower-case) and value in printed order, each framed by its length in 4 bytes, big-endian.
 * `Update-Time` is left out, so that summarising an unchanged document again gives the same digest.
 */
export function digestOf(object: SummaryObject): Uint8Array {
  const parts: (string | Uint8Array)[] = [object.templateType, object.url];
  for (const { name, value } of object.attributes) {
    const lower = name.toLowerCase();
    if (lower !== updateTime) parts.push(lower, value);
  }
  let length = label.length;
  for (const part of parts) length += 4 + Buffer.byteLength(part);
  // One buffer and one call: hashing part by part costs more than the copy.
  const bytes = Buffer.allocUnsafe(length);
  let end = bytes.write(label);
  for (const part of parts) {
    const size = Buffer.byteLength(part);
    end = bytes.writeUInt32BE(size, end);
    if (typeof part === 'string') bytes.write(part, end);
    else bytes.set(part, end);
    end += size;
  }
  return new Uint8Array(createHash('sha256').update(bytes).digest());
}
