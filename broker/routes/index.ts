// The HTTP routes of a Broker, for readers and other Brokers. Read routes.ts.
export { brokerRoutes } from './routes.ts';
