import { decodeCell } from './cell-values.ts'
import type { PackageParts } from './package-parts.ts'

/** Reads the texts that cells refer to by number. */
export function readSharedStrings(parts: PackageParts, path: string): string[] {
  const texts: string[] = []
  const text = new TextPieces()
  parts.read(path, {
    open: (name) => {
      if (name === 'si') text.clear()
      text.open(name)
    },
    text: (piece) => text.add(piece),
    close: (name) => {
      text.close(name)
      if (name === 'si') texts.push(decodeCell(text.value))
    }
  })
  return texts
}

/** Collects the text of a cell from its runs (`t`), without phonetic guides (`rPh`). */
export class TextPieces {
  value = ''
  #isText = false
  #isPhonetic = false

  clear() {
    this.value = ''
  }

  open(name: string) {
    if (name === 't') this.#isText = true
    else if (name === 'rPh') this.#isPhonetic = true
  }

  add(piece: string) {
    if (this.#isText && !this.#isPhonetic) this.value += piece
  }

  close(name: string) {
    if (name === 't') this.#isText = false
    else if (name === 'rPh') this.#isPhonetic = false
  }
}
