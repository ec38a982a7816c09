/** Every so many lines their place is kept: a file may have millions. */
const STEP = 256

/** Finds lines and columns in a text. Lines end with LF, CR or CRLF. */
export class LineIndex {
  readonly #text: string
  /** Where each line starts whose number, from 0, is a multiple of STEP. */
  readonly #starts = [0]

  constructor(text: string) {
    this.#text = text
    let line = 0
    for (const start of lineStarts(text, 0)) if (++line % STEP === 0) this.#starts.push(start)
  }

  /** Line and column, both from 1, in characters, of an offset in UTF-16 units. */
  position(offset: number): { line: number; column: number } {
    let block = 0
    let high = this.#starts.length - 1
    while (block < high) {
      const middle = (block + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) block = middle
      else high = middle - 1
    }
    let line = block * STEP
    let start = this.#starts[block] ?? 0
    for (const next of lineStarts(this.#text, start)) {
      if (next > offset) break
      line++
      start = next
    }
    return { line: line + 1, column: [...this.#text.slice(start, offset)].length + 1 }
  }
}

/** Where the lines after the one at this offset start. */
function* lineStarts(text: string, from: number): Generator<number> {
  const end = /\r\n?|\n/g
  end.lastIndex = from
  while (end.exec(text)) yield end.lastIndex
}
