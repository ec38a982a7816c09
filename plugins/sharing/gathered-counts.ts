import type { VisitedLink } from '../../db/sharing/link-visits.ts'

/** Openings of a link in this process. */
interface Gathered {
  link: VisitedLink
  /** The end of its minute, on the clock of `performance`. */
  end: number
  /** How many were recorded at once in the minute. */
  recorded: number
  /** How many are still to be recorded. */
  count: number
}

const MINUTE = 60_000

/** The openings of a link in a minute that this process records at once, with their visitors. The others wait to be written together. */
const AT_ONCE = 10

/** Gathers the openings of links, so that a flood of them takes few writes. */
export class GatheredOpenings {
  readonly #links = new Map<number, Gathered>()

  /** Counts an opening. Returns whether the caller has to record it; if not, `take` does return it. */
  add(link: VisitedLink, now = performance.now()): boolean {
    let gathered = this.#links.get(link.id)
    if (!gathered || gathered.end <= now) {
      gathered = { link, end: now + MINUTE, recorded: 0, count: gathered?.count ?? 0 }
      this.#links.set(link.id, gathered)
    }
    gathered.link = link
    if (gathered.recorded < AT_ONCE) {
      gathered.recorded++
      return true
    }
    gathered.count++
    return false
  }

  /** Takes out the openings that are to be recorded, by link. */
  take(now = performance.now()): Pick<Gathered, 'link' | 'count'>[] {
    const taken: Pick<Gathered, 'link' | 'count'>[] = []
    for (const [id, gathered] of this.#links) {
      if (gathered.count > 0) taken.push({ link: gathered.link, count: gathered.count })
      gathered.count = 0
      if (gathered.end <= now) this.#links.delete(id)
    }
    return taken
  }
}
