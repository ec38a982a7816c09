import { LineIndex } from '../../content/lines.ts'

interface FileText {
  name?: string
  /** The offset of the first character, counted across all files. */
  start: number
  text: string
  lines?: LineIndex
}

/** The text of the files that make up a graph: usually a single unnamed file, or the tables in an archive. */
export class FileTexts {
  readonly #files: FileText[] = [{ start: 0, text: '' }]
  #open = this.#files[0] as FileText

  /** The text of the open file. */
  get text() {
    return this.#open.text
  }

  set text(text: string) {
    this.#open.text = text
  }

  /** The name of the open file, if it has one. */
  get name() {
    return this.#open.name
  }

  /** The start of the open file, which is added to all offsets in the file. */
  get start() {
    return this.#open.start
  }

  /** Opens the file with this name, creating it if necessary. */
  open(name: string) {
    const known = this.#files.find((file) => file.name === name)
    if (known) this.#open = known
    else {
      const last = this.#files.at(-1) as FileText
      this.#open = { name, start: last.start + last.text.length + 1, text: '' }
      this.#files.push(this.#open)
    }
  }

  /** Returns the line and column of an offset counted across all files, and the name of the file if it has one. */
  position(offset: number): { line: number; column: number; file?: string } {
    const file = this.#files.findLast(({ start }) => start <= offset) as FileText
    file.lines ??= new LineIndex(file.text)
    return { ...file.lines.position(offset - file.start), ...(file.name !== undefined && { file: file.name }) }
  }
}
