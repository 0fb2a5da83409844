import {
  bytesOfHandle,
  type Group,
  type GroupBounds,
  type Handle,
  handleBytes,
  handleFrom,
  type Placed,
  type SplitRequest,
  signatureBytes,
} from '../awareness/index.ts';
import { type ByteReader, ByteWriter } from '../kernel/index.ts';
import { fieldReader } from './fields.ts';

// Groups in handle order: a position is a handle of 16 bytes, the data of a group 16 bytes, a request up to 64 bytes
// and a group of data 80 beside its flags, as the paper counts them.

const flags = { prevMax: 1, nextMin: 2, objects: 4, ends: 8, own: 16 } as const;
const dataBytes = 16;

/** Max objects of a group, and max groups of its own that a client may add to each request. */
const maxObjects = 256;
const maxOwn = 32;

/** Max groups and requests in a message: a request can be worth `maxOwn` times the fan-out in groups. */
const maxGroups = 512;
const maxRequests = 128;

const writePosition = (writer: ByteWriter, position: string) =>
  writer.bytes(bytesOfHandle(position as Handle));
const readPosition = (reader: ByteReader) => handleFrom(reader.copy(handleBytes));

function writeNeighbours(
  writer: ByteWriter,
  { prevMax, nextMin }: Pick<GroupBounds, 'prevMax' | 'nextMin'>,
): void {
  if (prevMax !== undefined) writePosition(writer, prevMax);
  if (nextMin !== undefined) writePosition(writer, nextMin);
}

const neighbourFlags = ({ prevMax, nextMin }: Pick<GroupBounds, 'prevMax' | 'nextMin'>) =>
  (prevMax === undefined ? 0 : flags.prevMax) | (nextMin === undefined ? 0 : flags.nextMin);

function readNeighbours(reader: ByteReader, set: number): Pick<GroupBounds, 'prevMax' | 'nextMin'> {
  const prevMax = (set & flags.prevMax) === 0 ? undefined : readPosition(reader);
  const nextMin = (set & flags.nextMin) === 0 ? undefined : readPosition(reader);
  return { prevMax, nextMin };
}

function readPlaced(reader: ByteReader): Placed {
  const handle = readPosition(reader);
  return { position: handle, handle, signature: reader.copy(signatureBytes) };
}

export function encodeGroups(groups: readonly Group[]): Uint8Array {
  const writer = new ByteWriter();
  for (const group of groups) {
    if (group.kind === 'objects') {
      writer.byte(flags.objects | neighbourFlags(group));
      writeNeighbours(writer, group);
      writer.varint(group.objects.length);
      for (const { position, signature } of group.objects) writePosition(writer, position).bytes(signature);
      continue;
    }
    writer.byte((group.ends === undefined ? 0 : flags.ends) | neighbourFlags(group));
    writeNeighbours(writer, group);
    writePosition(writer, group.min);
    writePosition(writer, group.max).bytes(group.data);
    for (const { signature } of group.ends ?? []) writer.bytes(signature);
  }
  return writer.take();
}

export function decodeGroups(bytes: Uint8Array, type: string): readonly Group[] {
  const reader = fieldReader(bytes, type);
  const groups: Group[] = [];
  while (!reader.done) {
    if (groups.length === maxGroups) reader.fail('has too many groups');
    const set = reader.byte();
    const neighbours = readNeighbours(reader, set);
    if ((set & flags.objects) !== 0) {
      const count = reader.varint();
      if (count > maxObjects) reader.fail('has a group of too many objects');
      groups.push({
        kind: 'objects',
        ...neighbours,
        objects: Array.from({ length: count }, () => readPlaced(reader)),
      });
      continue;
    }
    const [min, max] = [readPosition(reader), readPosition(reader)];
    const data = reader.copy(dataBytes);
    if (min > max) reader.fail('has a group that ends before it begins');
    const end = (position: Handle): Placed => ({
      position,
      handle: position,
      signature: reader.copy(signatureBytes),
    });
    const ends = (set & flags.ends) === 0 ? {} : { ends: [end(min), end(max)] as const };
    groups.push({ kind: 'data', ...neighbours, min, max, data, ...ends });
  }
  return groups;
}

export function encodeSplits(requests: readonly SplitRequest[]): Uint8Array {
  const writer = new ByteWriter();
  for (const request of requests) {
    writer.byte((request.own === undefined ? 0 : flags.own) | neighbourFlags(request));
    writeNeighbours(writer, request);
    writePosition(writer, request.min);
    writePosition(writer, request.max);
    if (request.own === undefined) continue;
    writer.varint(request.own.length);
    for (const { to, data } of request.own) writePosition(writer, to).bytes(data);
  }
  return writer.take();
}

export function decodeSplits(bytes: Uint8Array, type: string): readonly SplitRequest[] {
  const reader = fieldReader(bytes, type);
  const requests: SplitRequest[] = [];
  while (!reader.done) {
    if (requests.length === maxRequests) reader.fail('has too many requests');
    const set = reader.byte();
    const neighbours = readNeighbours(reader, set);
    const [min, max] = [readPosition(reader), readPosition(reader)];
    const bounds = { ...neighbours, min, max };
    if ((set & flags.own) === 0) {
      requests.push(bounds);
      continue;
    }
    const count = reader.varint();
    if (count === 0 || count > maxOwn) reader.fail('has no valid groups of its own');
    const own = Array.from({ length: count }, () => ({
      to: readPosition(reader),
      data: reader.copy(dataBytes),
    }));
    if (own.some(({ to }, i) => i > 0 && to < (own[i - 1]?.to ?? ''))) reader.fail('has groups out of order');
    requests.push({ ...bounds, own });
  }
  return requests;
}
