/** The height of a row of a table of elements, in pixels; the same in styles.css. */
export const ROW_HEIGHT = 34

/** The space of rows that are not rendered. */
export function SpaceRow({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
