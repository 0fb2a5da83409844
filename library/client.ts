// The export `garner/client`: the HTTP API of a Broker with typed answers, for Node.js and browsers.
export * from '../web/client/broker-client.ts';
