import { fold } from '../../graph/content/words.ts'

/** Returns the folded text that `q` searches: the name and the description. */
export function searchable({ name, description }: { name: string; description: string | null }) {
  return fold(`${name}\n${description ?? ''}`)
}
