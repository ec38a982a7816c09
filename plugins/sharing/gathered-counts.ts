import type { VisitedLink } from '../../db/sharing/link-visits.ts'

/** The openings of a link that this process has counted. */
interface Gathered {
  link: VisitedLink
  /** The end of the current minute, on the clock of `performance`. */
  end: number
  /** The number of openings recorded individually in this minute. */
  recorded: number
  /** The number of openings still to be recorded. */
  count: number
}

const MINUTE = 60_000

/**
 * How many openings of a link to record individually per minute, with details of the visitor. The rest are only counted, and
 * recorded together.
 */
const AT_ONCE = 10

/** Collects the openings of links, so that a flood of openings causes few writes. */
export class GatheredOpenings {
  readonly #links = new Map<number, Gathered>()

  /** Counts an opening. Returns true if the caller must record it; otherwise, `take` will return it. */
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

  /** Returns the openings to record for each link, and resets the counts. */
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
