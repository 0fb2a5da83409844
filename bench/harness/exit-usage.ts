import { writeFileSync } from 'node:fs';

/** What a process used in its life. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuSeconds: number;
  /** Most memory it held (resident). */
  readonly peakBytes: number;
}

/** The variable that names the file a process leaves its usage in when it ends. */
export const usageVariable = 'BENCH_USAGE_FILE';

/** This module's address, for `node --import`: it then tells what the process has used. */
export const exitUsageModule = import.meta.url;

const file = process.env[usageVariable];
if (file !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage: Usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
    writeFileSync(file, JSON.stringify(usage));
  });
}
