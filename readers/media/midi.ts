import { ByteView, latin1Start } from '../bytes/index.ts';
import { decodeText } from '../text/index.ts';
import type { MediaFacts } from './media-facts.ts';

const maxTracks = 1000;
const maxTexts = 20_000;

/** Whether a file begins as a standard MIDI file. */
export function isMidi(bytes: Uint8Array): boolean {
  return latin1Start(bytes, 4) === 'MThd';
}

/** Read a standard MIDI file (MIDI 1.0): its text events by kind, number of tracks, tempo and duration. */
export function readMidi(bytes: Uint8Array): MediaFacts {
  const file = new ByteView(bytes);
  const division = file.u16(12);
  const ticksPerBeat = (division & 0x8000) === 0 ? division : 0;
  const score = new Score();
  const notes: string[] = [];
  let at = 8 + file.u32(4);
  let tracks = 0;
  while (at + 8 <= file.length && tracks < maxTracks) {
    const length = file.u32(at + 4);
    if (file.latin1(at, at + 4) === 'MTrk') {
      tracks++;
      try {
        readTrack(file.part(at + 8, at + 8 + length), score);
      } catch {
        notes.push('A track could not be read to its end.');
      }
    }
    at += 8 + length;
  }
  const beats = ticksPerBeat === 0 ? 0 : score.ticks / ticksPerBeat;
  return {
    format: `MIDI ${file.u16(8)}`,
    title: score.names[0],
    copyright: score.copyrights[0],
    trackNames: [...new Set([...score.names, ...score.instruments])],
    texts: [...score.texts, ...(score.lyrics === '' ? [] : [score.lyrics])],
    duration: beats * (score.tempo / 1e6),
    comment: `${tracks} tracks, ${score.played} notes`,
    notes: [...new Set(notes)],
  };
}

class Score {
  readonly names: string[] = [];
  readonly instruments: string[] = [];
  readonly copyrights: string[] = [];
  readonly texts: string[] = [];
  lyrics = '';
  /** Microseconds a beat, of the first tempo; the default is 120 beats a minute. */
  tempo = 500_000;
  tempoSet = false;
  /** Length of the longest track. */
  ticks = 0;
  played = 0;
  #count = 0;

  text(kind: number, value: string): void {
    if (value.trim() === '' || this.#count++ >= maxTexts) return;
    // Karaoke files write words as plain text, a slash or backslash for a line.
    if (kind === 5 || (kind === 1 && /^[\\/]/.test(value)))
      this.lyrics += value.replace(/^[\\/]|[\r\n]+/g, '\n');
    else if (kind === 2) this.copyrights.push(value);
    else if (kind === 3) this.names.push(value);
    else if (kind === 4) this.instruments.push(value);
    else this.texts.push(value);
  }
}

function readTrack(track: ByteView, score: Score): void {
  let at = 0;
  let ticks = 0;
  let status = 0;
  const number = () => {
    let value = 0;
    for (let byte = 0; byte < 4; byte++) {
      const next = track.u8(at++);
      value = value * 128 + (next & 127);
      if (next < 128) break;
    }
    return value;
  };
  while (at < track.length) {
    ticks += number();
    const first = track.u8(at);
    // Without a status byte the previous one applies.
    if (first >= 0x80) {
      status = first;
      at++;
    }
    if (status === 0xff) {
      const kind = track.u8(at++);
      const length = number();
      if (kind >= 1 && kind <= 9) score.text(kind, textOf(track, at, at + length));
      else if (kind === 0x51 && length === 3 && !score.tempoSet) {
        score.tempo = track.u24(at);
        score.tempoSet = true;
      }
      at += length;
    } else if (status === 0xf0 || status === 0xf7) at += number();
    else {
      if (status >> 4 === 9 && track.u8(at + 1) > 0) score.played++;
      at += status >> 4 === 12 || status >> 4 === 13 ? 1 : 2;
    }
  }
  score.ticks = Math.max(score.ticks, ticks);
}

function textOf(track: ByteView, start: number, end: number): string {
  return decodeText(track.slice(start, end));
}
