// The types that browsers show or can save; everything else is application/octet-stream.
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

// Common names without an extension.
const texts =
  /^(?:readme|index|license|licence|copying|changelog|news|todo|install|ls-lr|md5sums|sha\d+sums)$/;

/** The media type of a file by its name; FTP and Gopher give no other information on it. */
export function fileType(name: string): string {
  const lower = name.toLowerCase();
  if (texts.test(lower)) return 'text/plain';
  const extension = /\.([a-z0-9]{1,5})$/.exec(lower)?.[1] ?? '';
  return (Object.hasOwn(types, extension) && types[extension]) || 'application/octet-stream';
}
