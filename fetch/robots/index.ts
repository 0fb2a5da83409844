// robots.txt (RFC 9309). Read robots-policy.ts, then robots-rules.ts.
export { type RobotsPolicy, RobotsTxt, type RobotsVerdict } from './robots-policy.ts';
