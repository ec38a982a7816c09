import { numberOf } from '../shared/text.ts'

/** Values from the drawing of an element. */
export interface Drawn {
  label?: string
  x?: number
  y?: number
}

/** The yFiles elements that contain the text of a label. */
const LABELS = ['NodeLabel', 'EdgeLabel', 'Label.Text']

/** Matches data that begins with an element of yFiles. */
const YFILES = /^\s*<(?:y|yjs):|^\s*<[^>]*yworks\.com/

/** The number of characters of data to search for its first element. */
const HEAD = 1000

/** Returns whether the data is a drawing by yFiles: its key says so, or its first element. */
export function isDrawing(data: string, isDrawn: boolean | undefined) {
  return isDrawn === true || YFILES.test(data.slice(0, HEAD))
}

/** Reads the first label and the position from the elements of a drawing by yFiles. */
export class Drawing {
  readonly #open: string[] = []
  #text = ''

  open(name: string, attributes: Record<string, string>, drawn: Drawn) {
    this.#keepLabel(drawn)
    this.#open.push(name)
    const { x = attributes.X, y = attributes.Y, width = attributes.Width, height = attributes.Height } = attributes
    if ((name === 'Geometry' || name === 'RectD') && drawn.x === undefined) {
      const [left, top, across, down] = [x, y, width, height].map((text) => numberOf(text ?? ''))
      if (left !== undefined && top !== undefined) {
        drawn.x = left + (across ?? 0) / 2
        // In yFiles, y increases downwards.
        drawn.y = 0 - (top + (down ?? 0) / 2)
      }
    } else if (name === 'Label' && attributes.Text !== undefined) drawn.label ??= attributes.Text
    this.#text = ''
  }

  text(text: string) {
    this.#text += text
  }

  close(drawn: Drawn) {
    this.#keepLabel(drawn)
    this.#open.pop()
  }

  /** Keeps the text read so far if it belongs to a label. */
  #keepLabel(drawn: Drawn) {
    const text = this.#text.trim()
    if (text !== '' && LABELS.includes(this.#open.at(-1) ?? '')) drawn.label ??= text
  }
}
