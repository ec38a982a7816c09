import { Alert } from '@mantine/core'
import { useMemo } from 'react'
import { text } from '../text/index.ts'
import { useGraphContext } from './graph-context.ts'
import { leftOutAttributes } from './network/attributes.ts'

/** Says how many attributes are hidden because there are too many to list. */
export function AttributesNote() {
  const { network } = useGraphContext().view
  const leftOut = useMemo(() => leftOutAttributes(network), [network])
  if (leftOut === 0) return null
  return (
    <Alert variant="light" py="xs" role="status">
      {text.attributes.leftOut(leftOut)}
    </Alert>
  )
}
