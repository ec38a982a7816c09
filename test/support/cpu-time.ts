/** Returns the CPU time that the task takes in this thread, in milliseconds. */
export async function cpuTime(task: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  await task()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
