import type { ComponentProps } from 'react'

/** A form that does not navigate when it is submitted. */
export function Form({ onSubmit, ...form }: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}
