/** Gives the milliseconds of CPU time that this process has taken since: a busy machine does not add to them. */
export function startCpuTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
}
