// Sound, films and subtitles as `MediaFacts`: a library reads tagged formats; AVI, MPEG streams, Sun audio,
// MIDI and the parts of MP4 besides its tags have small readers of their own. Subtitles become their spoken
// text. Read media-facts.ts, then mp4-boxes.ts.
export { isAvi, readAvi } from './avi.ts';
export { type MediaFacts, mediaFields } from './media-facts.ts';
export { isMidi, readMidi } from './midi.ts';
export { isMp4, mp4Facts, mp4OfEnds } from './mp4-boxes.ts';
export { isMpegVideo, readMpegVideo } from './mpeg-video.ts';
export { readSubtitles } from './subtitles.ts';
export { isSunAudio, readSunAudio } from './sun-audio.ts';
export { readTaggedMedia } from './tagged-media.ts';
export { isTransportStream, readTransportStream } from './transport-stream.ts';
