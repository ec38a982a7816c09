import type { operations } from '../../../clients/typescript/src/generated.ts'

type Query = NonNullable<operations['importGraph']['parameters']['query']>

/** The columns that the user chose for edge endpoints or node ids. */
export type Columns = Pick<Query, 'sourceColumn' | 'targetColumn' | 'idColumn'>

/** The user's choices for reading a file. */
export type Choices = Columns & Pick<Query, 'directed' | 'encoding' | 'lenient'>

/** Returns the choices with their columns replaced. */
export function withColumns({ directed, encoding, lenient }: Choices, columns: Columns): Choices {
  return {
    ...columns,
    ...(directed !== undefined && { directed }),
    ...(encoding !== undefined && { encoding }),
    ...(lenient !== undefined && { lenient })
  }
}
