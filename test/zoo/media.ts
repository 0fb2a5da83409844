import type { Exhibit } from './exhibit.ts';

const tags =
  '-metadata title="Song of Bees" -metadata artist="Ann Author" -metadata album=Hive -metadata date=1995';
const ffmpeg = (inputs: string, name: string) => ({
  made: `ffmpeg -v error ${inputs} ${tags} -t 2 ${name}`,
  by: ['ffmpeg'],
});
const tone = '-f lavfi -i sine=440:duration=2';
const picture = '-f lavfi -i testsrc=size=64x48:rate=10:duration=2';

/** Pictures, sound, video and fonts. */
export const media: readonly Exhibit[] = [
  {
    type: 'Audio',
    name: 'song.mp3',
    from: ffmpeg(tone, 'song.mp3'),
    attributes: {
      Title: 'Song of Bees',
      Author: 'Ann Author',
      Album: 'Hive',
      Date: '1995',
      'Sample-Rate': '44100 Hz',
      Duration: '0:02.0',
      Format: 'MPEG',
    },
  },
  {
    type: 'Audio',
    name: 'song.flac',
    from: ffmpeg(tone, 'song.flac'),
    attributes: {
      Title: 'Song of Bees',
      Author: 'Ann Author',
      Album: 'Hive',
      Date: '1995',
      'Sample-Rate': '44100 Hz',
      Duration: '0:02.0',
      Format: 'FLAC',
    },
  },
  {
    type: 'Video',
    name: 'bees.mp4',
    from: ffmpeg(`${picture} ${tone}`, 'bees.mp4'),
    attributes: {
      Title: 'Song of Bees',
      Author: 'Ann Author',
      Album: 'Hive',
      Date: '1995',
      'Sample-Rate': '44100 Hz',
      Duration: '0:02.0',
      Dimensions: '64x48',
    },
  },
  {
    type: 'Video',
    name: 'bees.mkv',
    from: ffmpeg(picture, 'bees.mkv'),
    attributes: {
      Title: 'Song of Bees',
      Author: 'Ann Author',
      Duration: '0:02.0',
      Dimensions: '64x48',
      Codec: /./,
    },
  },
  {
    type: 'Subtitles',
    name: 'bees.vtt',
    from: { made: 'ffmpeg -v error -i "$SOURCES/subtitles.srt" bees.vtt', by: ['ffmpeg'] },
    attributes: {
      Format: 'WebVTT',
      Duration: '0:04.0',
      Cues: '2',
      'Full-Text': 'The bees come home\nand sleep',
    },
  },
  {
    type: 'Image',
    name: 'bee.jpg',
    from: {
      made: 'convert rose: bee.jpg && exiftool -q -overwrite_original -Artist="Ann Author" -XMP-dc:Title="A Bee" -IPTC:Keywords=bees -ImageDescription="A bee on a rose" -Copyright="1995 Ann Author" bee.jpg',
      by: ['convert', 'exiftool'],
    },
    attributes: {
      Title: 'A Bee',
      Format: 'JPEG',
      Dimensions: '70x46',
      Description: 'A bee on a rose',
      Keywords: 'bees',
      Author: 'Ann Author',
      Copyright: '1995 Ann Author',
    },
  },
  {
    type: 'Image',
    name: 'bee.png',
    from: { made: 'convert rose: -set Title "A Bee" -set Author "Ann Author" bee.png', by: ['convert'] },
    attributes: {
      Title: 'A Bee',
      Format: 'PNG',
      Dimensions: '70x46',
      'Bit-Depth': '8',
      Color: 'RGB',
      Author: 'Ann Author',
    },
  },
  {
    type: 'Font',
    name: 'DejaVuSansMono.ttf',
    from: { file: '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf', of: 'fonts-dejavu-core' },
    attributes: {
      Title: 'DejaVu Sans Mono',
      Format: 'TrueType',
      'Font-Family': 'DejaVu Sans Mono',
      'Fixed-Pitch': 'yes',
      Scripts: /Greek/,
      Publisher: 'DejaVu fonts team',
    },
  },
  {
    type: 'Font',
    name: 'C059-BdIta.t1',
    from: { file: '/usr/share/fonts/type1/urw-base35/C059-BdIta.t1', of: 'fonts-urw-base35' },
    attributes: {
      Title: 'C059 Bold Italic',
      Format: 'Type 1 (PFA)',
      'Font-Family': 'C059',
      'Font-Weight': 'Bold',
      'PostScript-Name': 'C059-BdIta',
    },
  },
];
