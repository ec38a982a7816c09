import type { ImportTable } from '../api.ts'

/** Returns whether the first row of a table contains the names of its columns. */
export function hasTitles({ columns }: ImportTable) {
  return columns.some((name, index) => name !== `column ${index + 1}`)
}

/** Returns the indexes of the columns with ids and endpoints. */
export function placesIn({ columns, sourceColumn, targetColumn, idColumn }: ImportTable) {
  const placeOf = (name: string | undefined) => {
    const place = columns.findIndex((_, index) => columnName(columns, index) === name)
    return place < 0 ? undefined : place
  }
  return { source: placeOf(sourceColumn), target: placeOf(targetColumn), id: placeOf(idColumn) }
}

/** Returns the name by which the API identifies a column: its number if an earlier column has the same name. */
export function columnName(columns: readonly string[], index: number): string {
  const name = columns[index] as string
  return columns.indexOf(name) === index ? name : `column ${index + 1}`
}
