import type { Field } from '../document/index.ts';
import { fact, numbered } from '../text/index.ts';

/** The facts of a recording or film; every field may be absent. */
export interface MediaFacts {
  readonly format: string;
  readonly title?: string | undefined;
  readonly artists?: readonly string[];
  readonly album?: string | undefined;
  readonly composers?: readonly string[];
  readonly genre?: string | undefined;
  readonly date?: string | undefined;
  readonly track?: string | undefined;
  readonly comment?: string | undefined;
  readonly description?: string | undefined;
  readonly copyright?: string | undefined;
  readonly publisher?: string | undefined;
  readonly languages?: readonly string[];
  /** Seconds. */
  readonly duration?: number | undefined;
  readonly codecs?: readonly string[];
  /** Bits a second. */
  readonly bitrate?: number | undefined;
  /** Samples a second. */
  readonly sampleRate?: number | undefined;
  readonly channels?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Pictures a second. */
  readonly frameRate?: number | undefined;
  readonly software?: string | undefined;
  readonly chapters?: readonly string[];
  readonly trackNames?: readonly string[];
  /** Songs' words, subtitles and other text. */
  readonly texts?: readonly string[];
  readonly notes?: readonly string[];
}

/** Facts as attributes, in the order they are printed; numbers are rounded so that they do not change with a library. */
export function mediaFields(facts: MediaFacts): Field[] {
  const { duration, bitrate, sampleRate, frameRate, width, height } = facts;
  return [
    ...numbered('Author', [...new Set(facts.artists)].filter(Boolean).slice(0, 64)),
    fact('Album', facts.album),
    ...numbered('Composer', [...new Set(facts.composers)].filter(Boolean).slice(0, 64)),
    fact('Genre', facts.genre),
    fact('Date', facts.date),
    fact('Track', facts.track),
    fact('Description', facts.description),
    fact('Comment', facts.comment === facts.description ? undefined : facts.comment),
    fact('Publisher', facts.publisher),
    fact('Copyright', facts.copyright),
    fact('Language', [...new Set(facts.languages)].filter(Boolean).join(', ')),
    fact('Format', facts.format),
    fact('Duration', finite(duration) ? clockTime(duration) : undefined),
    fact('Codec', [...new Set(facts.codecs)].filter(Boolean).join(', ')),
    fact('Bit-Rate', finite(bitrate) ? `${Math.round(bitrate / 1000)} kbit/s` : undefined),
    fact('Sample-Rate', finite(sampleRate) ? `${sampleRate} Hz` : undefined),
    fact('Channels', finite(facts.channels) ? facts.channels : undefined),
    fact('Dimensions', finite(width) && finite(height) ? `${width}x${height}` : undefined),
    fact('Frame-Rate', finite(frameRate) ? `${Math.round(frameRate * 100) / 100}` : undefined),
    fact('Software', facts.software),
    ['Chapters', (facts.chapters ?? []).filter(Boolean).slice(0, 1000).join('\n')],
    ['Track-Names', (facts.trackNames ?? []).filter(Boolean).slice(0, 1000).join('\n')],
  ];
}

function finite(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}

/** Seconds as hours, minutes and seconds: 1:02:03, 2:03; below ten seconds with tenths. */
export function clockTime(seconds: number): string {
  if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}
