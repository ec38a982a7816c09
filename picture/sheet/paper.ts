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

/** The maximum number of characters in a label in drawings. The details show longer labels in full. */
const LONGEST = 60

/** Returns a label on one line, truncated if it is too long. */
export function shorten(label: string) {
  const characters = [...label.replace(/\s+/g, ' ')]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('')
}
