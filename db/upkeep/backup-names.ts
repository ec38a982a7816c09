import { readdir } from 'node:fs/promises'

const NAME = /^graphstead-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** Returns the name of a backup that starts now. */
export function backupName(now = new Date()): string {
  return `graphstead-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.db`
}

/** Lists the names of the backups in a folder, oldest first. Returns an empty list if the folder cannot be read. */
export async function listBackups(folder: string): Promise<string[]> {
  const all = await readdir(folder).catch(() => [])
  return all.filter((name) => NAME.test(name)).sort()
}

/** Returns the time in the name of a backup, in milliseconds since 1970. */
export function backupTime(name: string): number {
  const [, year, month, day, hour, minute, second] = NAME.exec(name)?.map(Number) ?? []
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
}
