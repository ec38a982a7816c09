/** Returns the folded text that `q` searches: the name and the description. Neither contains the separator. */
export function searchable({ name, description }: { name: string; description: string | null }) {
  return fold(`${name}\n${description ?? ''}`)
}

/** Normalizes accents to composed form, and letters to lowercase. */
export function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}
