import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultSummariseOptions } from '../../../readers/document/index.ts';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  attributesOf,
  documentOf,
  scratch,
  summarised,
  toolOutput,
  toolRan,
} from '../../testing/summarise-sample.ts';
import { summariseAudioVideo, summariseSubtitles } from './audio-video.ts';

const quiet = ['-v', 'error', '-y'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=12'];
const picture = ['-f', 'lavfi', '-i', 'testsrc=duration=12:size=160x120:rate=25'];
/** The fastest encoder settings: the quality of the picture is of no use here. */
const hasty: Readonly<Record<string, readonly string[]>> = {
  mp4: ['-preset', 'ultrafast'],
  mov: ['-preset', 'ultrafast'],
  mkv: ['-preset', 'ultrafast'],
  webm: ['-deadline', 'realtime', '-cpu-used', '8'],
};
const tags = ['title=Dawn', 'artist=Ann', 'album=Hive', 'genre=Ambient', 'date=2020', 'comment=buzz'].flatMap(
  (tag) => ['-metadata', tag],
);
const tagged = { Title: 'Dawn', Author: 'Ann', Duration: '0:12' };

test('sound of every format ffmpeg writes', async (t) => {
  const folder = scratch(t);
  const samples: Uint8Array[] = [];
  const formats: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [
      'mp3',
      {
        ...tagged,
        Album: 'Hive',
        Genre: 'Ambient',
        Date: '2020',
        Format: 'MPEG',
        Codec: 'MPEG 1 Layer 3',
        'Sample-Rate': '44100 Hz',
        Channels: '1',
      },
    ],
    ['ogg', { ...tagged, Album: 'Hive', Comment: 'buzz', Codec: 'Vorbis I' }],
    ['opus', { ...tagged, Codec: 'Opus', 'Sample-Rate': '48000 Hz' }],
    ['flac', { ...tagged, Format: 'FLAC', Genre: 'Ambient' }],
    ['wav', { ...tagged, Format: 'WAVE', Codec: 'PCM' }],
    ['m4a', { ...tagged, Codec: 'MPEG-4/AAC', Album: 'Hive' }],
    ['aiff', { Title: 'Dawn', Duration: '0:12', Format: 'AIFF' }],
    ['au', { Format: 'Sun audio', Codec: 'PCM 16-bit', 'Sample-Rate': '44100 Hz', Duration: '0:12' }],
  ];
  for (const [extension, expected] of formats) {
    if (!toolRan(t, folder, 'ffmpeg', [...quiet, ...tone, ...tags, `a.${extension}`], 'ffmpeg')) return;
    const bytes = readFileSync(join(folder, `a.${extension}`));
    samples.push(bytes.subarray(0, 60_000));
    assertHolds(await summarised(summariseAudioVideo, bytes, `a.${extension}`), expected);
  }
  await assertSurvives(summariseAudioVideo, samples, 'x');
});

test('films: size of the picture, codecs, languages of tracks', async (t) => {
  const folder = scratch(t);
  const samples: Uint8Array[] = [];
  const language = ['-metadata:s:a:0', 'language=fra'];
  const formats: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['mp4', { ...tagged, Dimensions: '160x120', Language: 'fra', Album: 'Hive' }],
    ['mov', { ...tagged, Dimensions: '160x120', Format: 'qt' }],
    ['mkv', { ...tagged, Dimensions: '160x120', Language: 'fra' }],
    ['webm', { ...tagged, Dimensions: '160x120', Codec: 'OPUS, VP9' }],
    [
      'avi',
      {
        Title: 'Dawn',
        Author: 'Ann',
        Genre: 'Ambient',
        Dimensions: '160x120',
        'Frame-Rate': '25',
        Format: 'AVI',
      },
    ],
    ['mpg', { Dimensions: '160x120', 'Frame-Rate': '25', Format: 'MPEG-1 program stream' }],
  ];
  for (const [extension, expected] of formats) {
    if (
      !toolRan(
        t,
        folder,
        'ffmpeg',
        [...quiet, ...picture, ...tone, ...tags, ...language, ...(hasty[extension] ?? []), `v.${extension}`],
        'ffmpeg',
      )
    )
      return;
    const bytes = readFileSync(join(folder, `v.${extension}`));
    samples.push(bytes.subarray(0, 60_000));
    assertHolds(await summarised(summariseAudioVideo, bytes, `v.${extension}`), expected);
  }
  const hinted = ['-i', 'v.mp4', '-c', 'copy', '-movflags', 'faststart', 'web.mp4'];
  if (!toolRan(t, folder, 'ffmpeg', [...quiet, ...hinted], 'ffmpeg')) return;
  const cut = readFileSync(join(folder, 'web.mp4')).subarray(0, -1000);
  assertHolds(await summarised(summariseAudioVideo, cut, 'web.mp4'), { ...tagged, Language: 'fra' });
  await assertSurvives(summariseAudioVideo, samples, 'x');
});

/** A track of MIDI events, each after a delta time of its own. */
function midi(...tracks: readonly (readonly number[])[]): Buffer {
  const header = Buffer.from('MThd\0\0\0\x06\0\x01\0\0\0\x60', 'latin1');
  header.writeUInt16BE(tracks.length, 10);
  const chunks = tracks.map((events) => {
    const start = Buffer.from('MTrk\0\0\0\0', 'latin1');
    start.writeUInt32BE(events.length, 4);
    return Buffer.concat([start, Buffer.from(events)]);
  });
  return Buffer.concat([header, ...chunks]);
}

const meta = (kind: number, text: string) => [0, 0xff, kind, text.length, ...Buffer.from(text, 'latin1')];

test('MPEG transport streams: codecs, language, duration and the service, also as cameras write them', async (t) => {
  const folder = scratch(t);
  const service = ['-metadata', 'service_name=Tide TV', '-metadata', 'service_provider=Port'];
  const codecs = ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-metadata:s:a:0', 'language=deu'];
  const film = ['-shortest', ...codecs, ...service, 'film.ts'];
  if (!toolRan(t, folder, 'ffmpeg', [...quiet, ...picture, ...tone, ...film], 'ffmpeg')) return;
  const bytes = readFileSync(join(folder, 'film.ts'));
  const timed: Buffer[] = [];
  for (let at = 0; at + 188 <= bytes.length; at += 188)
    timed.push(Buffer.from('\0\0\0\x07'), bytes.subarray(at, at + 188));
  for (const content of [bytes, Buffer.concat(timed)])
    assertHolds(await summarised(summariseAudioVideo, content, 'film.ts'), {
      Title: 'Tide TV',
      Publisher: 'Port',
      Language: 'deu',
      Format: 'MPEG transport stream',
      Codec: 'MPEG-2 video, MPEG-1 audio',
      Duration: '0:12',
    });
  await assertSurvives(summariseAudioVideo, [bytes.subarray(0, 188 * 40)], 'film.ts');
});

test('of an MPEG transport stream that is too large both ends are read', async () => {
  // Packets with a clock of one a second; the rest of each is stuffing.
  const packets = Array.from({ length: 3000 }, (_, second) => {
    const packet = Buffer.alloc(188, 0xff);
    packet.set([0x47, 0x01, 0x00, 0x20, 183, 0x10]);
    packet.writeUInt32BE(second * 45_000, 6);
    packet.writeUInt16BE(0, 10);
    return packet;
  });
  const bytes = Buffer.concat(packets);
  const head = 188 * 200;
  // The end begins within a packet.
  const ends = Buffer.concat([bytes.subarray(0, head), bytes.subarray(-head - 100)]);
  const film = (read: Uint8Array) => ({
    ...documentOf(read, 'film.ts'),
    abridged: { head, size: bytes.length },
  });
  const duration = async (read: Uint8Array) =>
    attributesOf(await summariseAudioVideo(film(read), defaultSummariseOptions)).get('Duration');
  assert.equal(await duration(ends), '49:59');
  assert.equal(await duration(ends.subarray(0, head)), undefined);
});

test('MIDI: names, words, copyright, length', async () => {
  const song = midi(
    [
      ...meta(3, 'Flight of bees'),
      ...meta(2, '(c) 1999 Ann'),
      0,
      0xff,
      0x51,
      3,
      0x0f,
      0x42,
      0x40,
      ...meta(5, 'Sum '),
      ...meta(5, 'sum'),
    ],
    // Two notes, the second with running status, end at tick 960: ten beats of one second.
    [...meta(4, 'Kazoo'), 0, 0x90, 60, 64, 0x87, 0x40, 62, 64, 0, 0xff, 0x2f, 0],
  );
  assertHolds(await summarised(summariseAudioVideo, song, 'x.mid'), {
    Title: 'Flight of bees',
    Copyright: '(c) 1999 Ann',
    Format: 'MIDI 1',
    Duration: '0:10',
    Comment: '2 tracks, 2 notes',
    'Track-Names': 'Flight of bees\nKazoo',
    'Full-Text': '2 tracks, 2 notes\nSum sum',
  });
  await assertSurvives(summariseAudioVideo, [song], 'x.mid');
});

const srt =
  '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>The bees</i>\r\nare {\\an8}here.\r\n\r\n2\r\n01:00:03,000 --> 01:00:04,000\r\nare here.\r\n';
const vtt =
  'WEBVTT - A film\n\nNOTE by Ann\n\nSTYLE\n::cue {}\n\nfirst\n00:01.000 --> 00:12.000 align:start\n<v Ann>Hello &amp; goodbye\n';

test('subtitles: their text', async (t) => {
  assertHolds(await summarised(summariseSubtitles, srt, 'film.fr.srt'), {
    Format: 'SubRip',
    Language: 'fr',
    Duration: '1:00:04',
    Cues: '2',
    'Full-Text': 'The bees\nare here.',
  });
  const found = await summarised(summariseSubtitles, vtt, 'film.vtt');
  assertHolds(found, { Format: 'WebVTT', Duration: '0:12', Cues: '1', Comment: '- A film by Ann' });
  await assertSurvives(summariseSubtitles, [Buffer.from(srt), Buffer.from(vtt)], 'x.srt');
  await assertLinear(
    summariseSubtitles,
    ['\n\n', '<', '{\\', '00:00:01,000 --> 00:00:02,000\na\n\n'],
    'x.srt',
  );
  const folder = scratch(t);
  if (!toolRan(t, folder, 'ffmpeg', ['-version'], 'ffmpeg')) return;
  const converted = toolOutput(
    'ffmpeg',
    [...quiet, '-f', 'srt', '-i', '-', '-f', 'webvtt', '-'],
    folder,
    srt,
  );
  assert.match(
    (await summarised(summariseSubtitles, converted, 'x.vtt')).get('Full-Text') ?? '',
    /^The bees\nare here\.$/m,
  );
});
