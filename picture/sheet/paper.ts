/** The colours of a drawing's background, in the light and the dark theme. */
export interface Paper {
  background: string
  ink: string
  node: string
  /** The colour that edges have besides those of their ends. */
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

/** Longer labels are cut off in drawings; the details show them in full. */
const LONGEST = 60

/** Returns a label in one line, cut off if it is long. */
export function shorten(label: string) {
  const characters = [...label.replace(/\s+/g, ' ')]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('')
}
