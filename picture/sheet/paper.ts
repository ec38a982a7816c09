import { mixed } from '../model/mixing.ts'

/** The colours that suit a drawing's background, for the light and dark themes. */
export interface Paper {
  background: string
  ink: string
  node: string
  /** The base colour of edges, which is mixed with the colours of their endpoints. */
  edge: string
  focusedEdge: string
  dimNode: string
  dimEdge: string
}

export const lightPaper: Paper = {
  background: '#ffffff',
  ink: '#1a1b1e',
  node: '#0b7285',
  edge: '#868e96',
  focusedEdge: '#495057',
  dimNode: '#e4e7ea',
  dimEdge: '#f0f2f4'
}

export const darkPaper: Paper = {
  background: '#1f1f1f',
  ink: '#f1f3f5',
  node: '#3bc9db',
  edge: '#868e96',
  focusedEdge: '#ced4da',
  dimNode: '#3a3d40',
  dimEdge: '#2a2c2e'
}

/** The luminance above which dark text is easier to read than light text. */
const BRIGHT = 0.18

/** Returns the paper in this colour, with ink that is legible on it. If the colour is undefined, returns the paper itself. */
export function paperIn(background: string | undefined, paper: Paper): Paper {
  if (background === undefined) return paper
  const base = luminanceOf(background) > BRIGHT ? lightPaper : darkPaper
  const dim = (part: number) => mixed(background, base.ink, part)
  return { ...base, background, dimNode: dim(0.13), dimEdge: dim(0.07) }
}

/** The minimum opacity of the samples of edges in a legend, so that they are visible. */
const FAINTEST = 0.6

/** Returns the colour of the samples of edges in a legend: that of edges with this opacity, unless it would be too faint. */
export function sampleColour({ background, edge }: Pick<Paper, 'background' | 'edge'>, opacity: number): string {
  return mixed(background, edge, Math.max(opacity, FAINTEST))
}

/** Returns the relative luminance of a colour (`#rrggbb`), as defined by WCAG 2. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the font family of the texts in drawings. */
export function familyOf(font: 'sans' | 'serif' | undefined): string {
  return font === 'serif' ? 'Times, serif' : 'system-ui, sans-serif'
}

/** The font size of labels, in pixels. */
export const LABEL_SIZE = 14

/** The radius of the dot where a leader begins, and the width of the leader with its margin, in pixels. */
export const LEADER = { dot: 2.5, margin: 3 }

/** The maximum number of characters in a label in drawings. The details show longer labels in full. */
const LONGEST = 60

/** Returns a label on one line, truncated if it is too long. */
export function shorten(label: string) {
  const characters = [...label.replace(/\s+/g, ' ')]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('')
}
