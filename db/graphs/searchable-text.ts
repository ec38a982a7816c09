/** Returns the folded text that `q` searches, which is the name and description. Neither contains the separator. */
export function searchable({ name, description }: { name: string; description: string | null }) {
  return fold(`${name}\n${description ?? ''}`)
}

/** Normalizes composed accents and case. */
export function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}
