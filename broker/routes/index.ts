export { brokerRoutes } from './routes.ts';
