/** The distance between indexed offsets, in UTF-16 units. It suits a single long line as well as millions of short ones. */
const STEP = 4096

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Finds lines and columns in a text. A line ends with LF, CR or CRLF. */
export class LineIndex {
  readonly #text: string
  /** The line and column of each offset that is a multiple of STEP, counted from 0. */
  readonly #lines: number[] = []
  readonly #columns: number[] = []

  constructor(text: string) {
    this.#text = text
    let place = { line: 0, column: 0 }
    for (let at = 0; at <= text.length; at += STEP) {
      this.#lines.push(place.line)
      this.#columns.push(place.column)
      place = this.#from(at, Math.min(at + STEP, text.length), place)
    }
  }

  /** Returns the line and column of an offset in UTF-16 units. Both are counted from 1; columns are in characters. */
  position(offset: number): { line: number; column: number } {
    const step = Math.floor(Math.min(offset, this.#text.length) / STEP)
    const kept = { line: this.#lines[step] ?? 0, column: this.#columns[step] ?? 0 }
    const { line, column } = this.#from(step * STEP, offset, kept)
    return { line: line + 1, column: column + 1 }
  }

  /** Returns the position of the offset `end`, counting from the position of `start`. */
  #from(start: number, end: number, { line, column }: { line: number; column: number }) {
    const text = this.#text
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      // In CRLF, the LF ends the line.
      if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) {
        line++
        column = 0
      } else if (code < 0xdc00 || code > 0xdfff || !isHigh(text.charCodeAt(at - 1))) column++
    }
    return { line, column }
  }
}

/** Returns whether the code unit is a high surrogate. A surrogate pair is one character. */
function isHigh(code: number) {
  return code >= 0xd800 && code < 0xdc00
}
