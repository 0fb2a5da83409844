export { ByteView } from './byte-view.ts';
