/** Returns the text that `q` searches: name and description, folded. Neither has the separator. */
export function searchable({ name, description }: { name: string; description: string | null }) {
  return fold(`${name}\n${description ?? ''}`)
}

/** Returns the text without differences of case and of composed accents. */
export function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}
