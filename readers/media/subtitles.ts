import { fragmentText } from '../html/index.ts';
import { keptLines } from '../text/index.ts';

const timing =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,:]\s?(\d{1,3}))?\s*-{1,2}>\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,:]\s?(\d{1,3}))?(?!\d)/;

/** The spoken text of a film, without times, numbers and marks. */
export interface Subtitles {
  readonly format: 'WebVTT' | 'SubRip';
  /** One text for each cue, without repeated lines. */
  readonly cues: readonly string[];
  /** Seconds from the beginning to the end of the last cue. */
  readonly duration: number;
  /** Texts of WebVTT's notes and header. */
  readonly notes: readonly string[];
}

/**
 * Read SubRip (.srt) or WebVTT (W3C WebVTT) subtitles. A line of times begins a cue, also where the blank line before it
 * is missing; blocks without times are notes.
 */
export function readSubtitles(text: string): Subtitles {
  const cues: string[] = [];
  const notes: string[] = [];
  let duration = 0;
  let last = '';
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n[^\S\n]*\n/);
  const isVtt = /^\ufeff?WEBVTT/.test(text);
  for (const [index, block] of blocks.entries()) {
    const lines = block.split('\n');
    const times = lines.map((line) => timing.exec(line));
    const first = times.findIndex((time) => time !== null);
    if (first < 0) {
      const note = block.replace(/^\ufeff?(?:WEBVTT|NOTE)\b/, '').trim();
      if (
        isVtt &&
        note !== '' &&
        !/^(?:STYLE|REGION)\b/.test(note) &&
        (index === 0 || block.startsWith('NOTE'))
      )
        notes.push(note);
      continue;
    }
    for (const [at, line] of lines.entries()) {
      if (at < first) continue;
      const time = times[at];
      if (time) duration = Math.max(duration, endOf(time));
      // The number of a cue is in the line before its times.
      if (time || (times[at + 1] && /^\s*\d+\s*$/.test(line))) continue;
      const bare = line.replace(/<[^<>]{0,200}>|\{\\[^{}]{0,100}\}/g, '');
      const spoken = keptLines(bare.includes('&') ? fragmentText(bare.replaceAll('<', '&lt;')) : bare);
      if (spoken !== '' && spoken !== last) cues.push(spoken);
      last = spoken;
    }
  }
  return { format: isVtt ? 'WebVTT' : 'SubRip', cues, duration, notes };
}

/** Seconds at the end of a cue. */
function endOf(time: RegExpExecArray): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.slice(5, 8).map((part) => Number(part ?? 0));
  const fraction = time[8] ?? '';
  return hours * 3600 + minutes * 60 + seconds + Number(fraction) / 10 ** fraction.length;
}
