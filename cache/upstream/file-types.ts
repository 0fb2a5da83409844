// What browsers show by themselves, and what they know how to save; everything else is bytes.
const types: Readonly<Record<string, string>> = {
  asc: 'text/plain',
  avif: 'image/avif',
  bmp: 'image/bmp',
  bz2: 'application/x-bzip2',
  c: 'text/plain',
  css: 'text/css',
  csv: 'text/csv',
  diff: 'text/plain',
  gif: 'image/gif',
  gz: 'application/gzip',
  h: 'text/plain',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/plain',
  md5: 'text/plain',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  patch: 'text/plain',
  pdf: 'application/pdf',
  png: 'image/png',
  ps: 'application/postscript',
  rtf: 'application/rtf',
  sig: 'application/pgp-signature',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tex: 'text/plain',
  tgz: 'application/gzip',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  wav: 'audio/wav',
  webp: 'image/webp',
  xml: 'application/xml',
  xz: 'application/x-xz',
  z: 'application/x-compress',
  zip: 'application/zip',
};

// Files of these names have no extension.
const texts =
  /^(?:readme|index|license|licence|copying|changelog|news|todo|install|ls-lr|md5sums|sha\d+sums)$/;

/** The media type of a file by its name; there is nothing else that says it by FTP or Gopher. */
export function fileType(name: string): string {
  const lower = name.toLowerCase();
  if (texts.test(lower)) return 'text/plain';
  const extension = /\.([a-z0-9]{1,5})$/.exec(lower)?.[1] ?? '';
  return (Object.hasOwn(types, extension) && types[extension]) || 'application/octet-stream';
}
