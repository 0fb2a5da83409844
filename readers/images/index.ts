// Pictures: size and kind from the header of each format (`ImageFacts`), then descriptions: EXIF and IPTC by
// a library, XMP and the text of drawings by `readers/xml`, comments and text chunks. No pixel is decoded.
// Read image-facts.ts, then png.ts.
export { readBmp, readIcon, readJpegXl, readPsd, readWebp, readXcf } from './bitmap-formats.ts';
export { exifFields } from './exif.ts';
export { readGif } from './gif.ts';
export { heifBrand, readImageBoxes } from './image-boxes.ts';
export { type ImageFacts, imageFields } from './image-facts.ts';
export { readJpeg } from './jpeg.ts';
export { readPng } from './png.ts';
export { readSvg } from './svg.ts';
export { readPnm, readXbm, readXpm } from './text-bitmaps.ts';
export { readTiff, tiffOrder } from './tiff.ts';
export { xmpFields } from './xmp.ts';
