/**
 * What a second worker can bring at most on a machine of so many cores: the workers, one core each, and what runs
 * beside them share its processor time.
 * @param proxyUs of a worker for a request @param besideUs of all others for it
 */
export function possibleRatio(cores: number, proxyUs: number, besideUs: number): number {
  const perSecond = (workers: number) => Math.min(workers / proxyUs, cores / (proxyUs + besideUs));
  return perSecond(2) / perSecond(1);
}
