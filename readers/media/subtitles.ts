import { keptLines } from '../text/index.ts';

const timing =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{3})\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{3})/;

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

/** Read SubRip (.srt) or WebVTT (W3C WebVTT) subtitles; blocks without a time are notes. */
export function readSubtitles(text: string): Subtitles {
  const cues: string[] = [];
  const notes: string[] = [];
  let duration = 0;
  let last = '';
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n[^\S\n]*\n/);
  const isVtt = /^\ufeff?WEBVTT/.test(text);
  for (const [index, block] of blocks.entries()) {
    const lines = block.split('\n');
    // A cue may be named in the line before its time.
    const at = timing.test(lines[0] ?? '') ? 0 : timing.test(lines[1] ?? '') ? 1 : -1;
    if (at < 0) {
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
    const times =
      timing
        .exec(lines[at] ?? '')
        ?.slice(5)
        .map((part) => Number(part ?? 0)) ?? [];
    const [hours = 0, minutes = 0, seconds = 0, thousandths = 0] = times;
    duration = Math.max(duration, hours * 3600 + minutes * 60 + seconds + thousandths / 1000);
    for (const line of lines.slice(at + 1)) {
      const spoken = keptLines(line.replace(/<[^<>]{0,200}>|\{\\[^{}]{0,100}\}/g, ''));
      if (spoken !== '' && spoken !== last) cues.push(spoken);
      last = spoken;
    }
  }
  return { format: isVtt ? 'WebVTT' : 'SubRip', cues, duration, notes };
}
