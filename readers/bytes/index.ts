// Numbers and text at offsets of hostile bytes (byte-view.ts), and the forms by which a tar and a mailbox are known.
export { ByteView, beforeZero, latin1Start, unescapedBytes } from './byte-view.ts';
export {
  endBeforeFrom,
  isMbox,
  maxSeparator,
  mboxMessages,
  separatorAt,
  unquoted,
} from './mailbox-forms.ts';
export { hasTarChecksum, isTar, tarBlockBytes, tarNumber } from './tar-checksum.ts';
