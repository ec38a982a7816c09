/** The height of a table row in pixels. Keep in sync with styles.css. */
export const ROW_HEIGHT = 34

/** Fills the space of the rows that are not rendered. */
export function SpaceRow({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
