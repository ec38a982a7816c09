/** Shows machine-readable text verbatim in a scrollable block. `isWrapped` wraps long lines. */
export function TextBlock({
  label,
  isWrapped = false,
  children
}: {
  label: string
  isWrapped?: boolean
  children: string
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable
    <section className="text-block" aria-label={label} tabIndex={0}>
      <pre className={isWrapped ? 'wrapped' : undefined}>{children}</pre>
    </section>
  )
}
