import type { RobotsVerdict } from '../../../fetch/index.ts';

// A crawl delay beyond this would keep the run from ending in this life.
const maxCrawlDelayMs = 60_000;

/** Milliseconds between requests that robots.txt asks for, within reason; undefined when it asks for none. */
export function crawlDelayMs(verdict: RobotsVerdict | undefined): number | undefined {
  const seconds = verdict?.crawlDelaySeconds;
  return seconds === undefined ? undefined : Math.min(seconds * 1000, maxCrawlDelayMs);
}
