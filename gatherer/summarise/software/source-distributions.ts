/** What recognises and reads source distributions; loaded when the first archive comes. */
export async function sourceDistributions() {
  const { DistributionReader } = await import('./source-distribution/distribution-reader.ts');
  const { DistributionSigns } = await import('./source-distribution/distribution-signs.ts');
  return { DistributionReader, DistributionSigns };
}
