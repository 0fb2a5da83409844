export { type RobotsPolicy, RobotsTxt, type RobotsVerdict } from './robots-policy.ts';
