/** Milliseconds of processor time that this thread spends on `work`. Other processes on the machine do not change it. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
