/** Shows a text as it is, for programs. It scrolls within itself; `isWrapped` breaks a line that is too long. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="text-block" aria-label={label} tabIndex={0}>
      <pre className={isWrapped ? 'wrapped' : undefined}>{children}</pre>
    </section>
  )
}
