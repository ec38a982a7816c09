/** Finds lines and columns in a text. Lines end with LF, CR or CRLF. */
export class LineIndex {
  readonly #text: string
  /** Where each line starts. */
  readonly #starts = [0]

  constructor(text: string) {
    this.#text = text
    for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) this.#starts.push(index + end.length)
  }

  /** Line and column, both from 1, in characters, of an offset in UTF-16 units. */
  position(offset: number): { line: number; column: number } {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: [...this.#text.slice(this.#starts[low], offset)].length + 1 }
  }
}
