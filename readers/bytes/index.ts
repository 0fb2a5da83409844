// Numbers and text at offsets of hostile bytes. Read byte-view.ts.
export { ByteView } from './byte-view.ts';
export { latin1Start } from './latin1.ts';
