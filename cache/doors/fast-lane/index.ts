// The fast lane: stored responses that may be given as they are, straight from a socket. A head is either plain, which
// means that it can be read in one way only and asks for nothing but the response, or node's own HTTP server gets the
// connection with every byte that was read of it.
export { HeadScanner } from './head-scanner.ts';
