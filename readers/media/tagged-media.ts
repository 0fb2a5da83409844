import type { IAudioMetadata } from 'music-metadata';
import { rescuer } from '../text/index.ts';
import type { MediaFacts } from './media-facts.ts';

/**
 * Read the formats of the library, loaded at the first such file; throws for other formats. `whole`: bytes of the whole
 * file, when these are only its ends.
 */
export async function readTaggedMedia(
  bytes: Uint8Array,
  mediaType: string,
  name: string,
  whole?: number,
): Promise<MediaFacts> {
  const { parseBuffer } = await import('music-metadata');
  const known = mediaType.includes('*') ? {} : { mimeType: mediaType };
  const options = { duration: whole === undefined, skipCovers: true, skipPostHeaders: false };
  const found = await parseBuffer(bytes, { ...known, path: name, size: bytes.length }, options);
  const facts = rescued(factsOf(found));
  if (whole === undefined) return facts;
  // Of duration and bit rate only one is written in the file; the other was computed from the length of the ends.
  const { bitrate, duration, container = '', codecProfile = 'CBR' } = found.format;
  const steady = /^(?:WAVE|AIFF)/.test(container) || (container === 'MPEG' && codecProfile === 'CBR');
  if (steady) return { ...facts, duration: bitrate === undefined ? undefined : (whole * 8) / bitrate };
  return { ...facts, bitrate: duration === undefined ? undefined : (whole * 8) / duration };
}

// Tags of ID3 that claim Latin-1 are often in the charset of the writer's computer.
function rescued(facts: MediaFacts): MediaFacts {
  const isText = (value: unknown) => typeof value === 'string';
  const rescue = rescuer(Object.values(facts).flat().filter(isText));
  const texts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(texts);
    return isText(value) ? rescue(value as string) : value;
  };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, texts(value)])) as never;
}

function factsOf({ common, format }: IAudioMetadata): MediaFacts {
  const tracks = format.trackInfo ?? [];
  const video = tracks.find((track) => track.video !== undefined)?.video;
  const languages = [common.language, ...tracks.map((track) => track.language)].map(languageOf);
  return {
    format: format.container ?? '',
    title: common.title,
    artists: common.artists ?? (common.artist === undefined ? [] : [common.artist]),
    album: common.album,
    composers: common.composer ?? [],
    genre: common.genre?.join(', '),
    date: common.date ?? (common.year === undefined ? undefined : String(common.year)),
    track: numberOf(common.track),
    comment: common.comment
      ?.map(({ text }) => text ?? '')
      .filter(Boolean)
      .join('; '),
    description: common.description?.join(' ') ?? common.longDescription,
    copyright: common.copyright,
    publisher: common.label?.join(', '),
    languages,
    duration: format.duration,
    codecs: [format.codec ?? '', ...tracks.map((track) => codecName(track.codecName))],
    bitrate: format.bitrate,
    sampleRate: format.sampleRate,
    channels: format.numberOfChannels,
    width: video?.pixelWidth,
    height: video?.pixelHeight,
    software: common.encodedby ?? format.tool,
    chapters: format.chapters?.map(({ title }) => title) ?? [],
    trackNames: tracks.map((track) => track.name ?? ''),
    texts: (common.lyrics ?? []).flatMap((lyrics) => [
      lyrics.text ?? '',
      ...(lyrics.syncText ?? []).map(({ text }) => text),
    ]),
  };
}

function numberOf({
  no,
  of,
}: {
  readonly no: number | null;
  readonly of: number | null;
}): string | undefined {
  if (no === null) return undefined;
  return of === null ? String(no) : `${no}/${of}`;
}

function languageOf(code: string | undefined): string {
  return code === undefined || code === 'und' || !/^[a-z]{2,3}(?:-[\w-]{1,20})?$/i.test(code) ? '' : code;
}

/** Matroska names codecs `A_OPUS`, MP4 `<avc1>`. */
function codecName(name: string | undefined): string {
  return (name ?? '').replace(/^[VAS]_|[<>]/g, '');
}
