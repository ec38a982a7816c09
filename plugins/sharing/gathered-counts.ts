import type { VisitedLink } from '../../db/sharing/link-visits.ts'

/** The visits to a link that this process has counted. */
interface Gathered {
  link: VisitedLink
  /** The end of the current minute, as measured by `performance.now()`. */
  end: number
  /** The number of visits recorded individually in this minute. */
  recorded: number
  /** The number of visits still to be recorded. */
  count: number
}

const MINUTE = 60_000

/**
 * The maximum number of visits to a link per minute that are recorded individually, with details of the visitor. Further visits
 * are counted, and recorded together.
 */
const AT_ONCE = 10

/** Collects visits to links, so that a flood of visits causes few writes. */
export class GatheredOpenings {
  readonly #links = new Map<number, Gathered>()

  /** Counts a visit. Returns true if the caller must record it. Otherwise, `take` will include it. */
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

  /** Returns the visits to record for each link, and resets the counts. */
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
