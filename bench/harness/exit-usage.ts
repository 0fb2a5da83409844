import { writeFileSync } from 'node:fs';

/** The resources that a process used in its life. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuSeconds: number;
  /** Peak of its resident memory. */
  readonly peakBytes: number;
}

/** The variable that names the file to which a process writes its usage when it ends. */
export const usageVariable = 'BENCH_USAGE_FILE';

/** This module's URL, for `node --import`: the process then writes its usage. */
export const exitUsageModule = import.meta.url;

const file = process.env[usageVariable];
if (file !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage: Usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
    writeFileSync(file, JSON.stringify(usage));
  });
}
