import { readFile } from 'node:fs/promises';
import { SoifParser } from '../../soif/index.ts';

/** Bytes of the stream over CPU seconds of the process, in MB/s, for each pass. */
export interface ParserMeasured {
  readonly rates: readonly number[];
}

const chunkBytes = 64 * 1024;

/** Parse a SOIF stream in chunks like those of a network; objects are dropped at once. */
export async function probeParser([
  file = '',
  objects = '',
  passes = '',
]: readonly string[]): Promise<ParserMeasured> {
  const stream = await readFile(file);
  const rates: number[] = [];
  for (let pass = 0; pass < Number(passes); pass++) {
    const parser = new SoifParser();
    let found = 0;
    const before = process.cpuUsage();
    for (let at = 0; at < stream.length; at += chunkBytes)
      for (const _ of parser.push(stream.subarray(at, at + chunkBytes))) found++;
    for (const _ of parser.end()) found++;
    const { user, system } = process.cpuUsage(before);
    if (found !== Number(objects)) throw new Error(`parsed ${found} objects of ${objects}`);
    // Bytes a microsecond are megabytes a second.
    rates.push(stream.length / (user + system));
  }
  return { rates };
}
