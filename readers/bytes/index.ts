// Numbers and text at offsets of hostile bytes (byte-view.ts), and the checksum by which a tar is known.
export { ByteView, latin1Start } from './byte-view.ts';
export { hasTarChecksum, isTar, tarBlockBytes, tarNumber } from './tar-checksum.ts';
