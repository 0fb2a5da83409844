import {
  type AttributeNote,
  bytesFromStart,
  type RecognisedDocument,
} from '../../../readers/document/index.ts';
import {
  isAvi,
  isMidi,
  isMp4,
  isMpegVideo,
  isSunAudio,
  isTransportStream,
  type MediaFacts,
  mediaFields,
  mp4Facts,
  mp4OfEnds,
  readAvi,
  readMidi,
  readMpegVideo,
  readSubtitles,
  readSunAudio,
  readTaggedMedia,
  readTransportStream,
} from '../../../readers/media/index.ts';
import { decodeText, extractOf, keptLines, TextBlocks } from '../../../readers/text/index.ts';
import type { Summariser, SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of sound, films and subtitles. */
export const audioVideoAttributes: readonly AttributeNote[] = [
  { name: 'Author', what: 'Artists; several are numbered' },
  { name: 'Album', what: 'Album or product' },
  { name: 'Composer', what: 'Composers; several are numbered' },
  { name: 'Genre', what: 'Genre' },
  { name: 'Date', what: 'Year or date of release, as tagged' },
  { name: 'Track', what: 'Track number, with the number of tracks as 3/12' },
  { name: 'Description', what: 'Description tag' },
  { name: 'Comment', what: 'Comment tag or annotation; of MIDI the number of tracks and notes' },
  { name: 'Publisher', what: 'Label' },
  { name: 'Copyright', what: 'Copyright tag' },
  { name: 'Language', what: 'Languages of the whole and of its tracks, joined by commas' },
  { name: 'Format', what: 'Container' },
  { name: 'Duration', what: 'Length as minutes:seconds or hours:minutes:seconds; tenths below ten seconds' },
  { name: 'Codec', what: 'Codecs of its tracks, joined by commas' },
  { name: 'Bit-Rate', what: 'Mean bit rate' },
  { name: 'Sample-Rate', what: 'Samples per second' },
  { name: 'Channels', what: 'Number of channels' },
  { name: 'Dimensions', what: 'Width and height of the picture in pixels' },
  { name: 'Frame-Rate', what: 'Pictures per second' },
  { name: 'Software', what: 'Program that made it' },
  { name: 'Chapters', what: 'Titles of chapters, one per line' },
  { name: 'Track-Names', what: 'Names of tracks, of MIDI also instruments, one per line' },
  { name: 'Cues', what: 'Number of lines of a subtitle file' },
  { name: 'Full-Text', what: 'Lyrics, texts of MIDI, text of subtitles' },
];

/** Sound and films: tags, duration, codecs and tracks; MIDI's texts. Throws on an unknown format. */
export const summariseAudioVideo: Summariser = async (document, options) => {
  const facts = await readMedia(document);
  const blocks = new TextBlocks(options);
  for (const text of new Set([facts.description, facts.comment, ...(facts.texts ?? [])]))
    if (text !== undefined && blocks.open) blocks.add(keptLines(text), 'paragraph');
  return extractOf({ title: facts.title, fields: mediaFields(facts), blocks, notes: facts.notes ?? [] });
};

async function readMedia(document: RecognisedDocument): Promise<MediaFacts> {
  const { bytes, abridged, mediaType, name } = document;
  if (abridged === undefined) return readWhole(document);
  const { head, size } = abridged;
  if (size !== undefined && isMp4(bytes))
    return readWhole({ ...document, bytes: mp4OfEnds(bytes, head, size) });
  const start = bytesFromStart(document);
  if (isTransportStream(start)) return readTransportStream(start, bytes.subarray(head));
  if (size === undefined || isOwn(start)) return readWhole({ ...document, bytes: start });
  // Tags at the end follow the beginning directly; what is in between is passed over or is too much for the library.
  return readTaggedMedia(bytes, mediaType, name, size).catch(() =>
    readTaggedMedia(start, mediaType, name, size),
  );
}

const isOwn = (bytes: Uint8Array) => isMidi(bytes) || isAvi(bytes) || isSunAudio(bytes) || isMpegVideo(bytes);

async function readWhole({ bytes, mediaType, name }: RecognisedDocument): Promise<MediaFacts> {
  if (isMidi(bytes)) return readMidi(bytes);
  if (isAvi(bytes)) return readAvi(bytes);
  if (isSunAudio(bytes)) return readSunAudio(bytes);
  if (isMpegVideo(bytes)) return readMpegVideo(bytes);
  if (isTransportStream(bytes)) return readTransportStream(bytes);
  if (!isMp4(bytes)) return readTaggedMedia(bytes, mediaType, name);
  const boxes = mp4Facts(bytes);
  try {
    return filled(await readTaggedMedia(bytes, mediaType, name), boxes);
  } catch (error) {
    // A truncated film may still contain its tags, or at least its duration.
    const parts = mp4OfEnds(bytes, bytes.length, bytes.length);
    const tagged = await readTaggedMedia(parts, mediaType, name).catch(() => undefined);
    if (tagged !== undefined && boxes.duration !== undefined)
      return {
        ...filled(tagged, boxes),
        notes: ['The file is truncated or damaged; the parts before were read.'],
      };
    if (boxes.duration === undefined) throw error;
    return { format: 'MP4', ...boxes, notes: ['Its tags could not be read.'] };
  }
}

/** Facts, with missing ones taken from others. */
function filled(facts: MediaFacts, others: Partial<MediaFacts>): MediaFacts {
  const merged: Record<string, unknown> = { ...facts };
  for (const [key, value] of Object.entries(others)) {
    const known = merged[key];
    const missing =
      known === undefined || known === '' || (Array.isArray(known) && known.every((one) => one === ''));
    if (missing) merged[key] = value;
  }
  return { ...facts, ...merged };
}

/** Subtitles (SubRip, WebVTT): text and duration. */
export const summariseSubtitles: SyncSummariser = (document, options) => {
  const { format, cues, duration, notes } = readSubtitles(decodeText(document.bytes, document.charset));
  const blocks = new TextBlocks(options);
  for (const cue of cues) if (blocks.open) blocks.add(cue, 'paragraph');
  const language = /[._-]([a-z]{2,3}(?:-[A-Za-z]{2,4})?)\.(?:srt|vtt)$/.exec(document.name)?.[1];
  const facts = {
    format,
    duration,
    comment: notes.join(' '),
    languages: language === undefined ? [] : [language],
  };
  return extractOf({ fields: [...mediaFields(facts), ['Cues', String(cues.length)]], blocks });
};
