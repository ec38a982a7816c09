/** Name and description in the form in which `q` finds them; the separator stands in neither. */
export function searchable({ name, description }: { name: string; description: string | null }) {
  return fold(`${name}\n${description ?? ''}`)
}

/** Upper or lower case and the way that accents are composed do not matter for finding. */
export function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}
